import { escapeUnprintable } from '@linker/sdk/host/text'
import { describeReport } from '../conformance.ts'
import { steps, type Change } from './change.ts'
import type { ToolReport } from './tools.ts'
import type { Publication } from './try-publication.ts'

/** The chapters of a publication, for a person. */
export function describePublication (publication: Publication): string {
  const { name, version, files, changes, tools, problems } = publication
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return [
    escapeUnprintable(`${name}@${version}`),
    ...chapter(`${files.length} files, ${Math.ceil(bytes / 1_000)} kB`, files.map(({ path }) => path)),
    ...chapter('Conformance', describeFailures(publication)),
    ...chapter('Contract', describeComparison(publication)),
    ...changes.length === 0 ? [] : describeChanges(changes).map(line => `  ${escapeUnprintable(line)}`),
    ...tools.flatMap(tool => chapter(tool.name, describeTool(tool))),
    ...chapter('Provenance', [
      publication.namesRepository
        ? 'npm publish --provenance, run by your CI, proves that the package comes from its repository'
        : 'npm publish --provenance needs `repository` in package.json, and a CI that runs it'
    ]),
    '',
    ...problems.map(problem => escapeUnprintable(`✗ ${problem}`)),
    problems.length === 0 ? '✓ ready for npm publish. Nothing was uploaded' : 'Nothing was uploaded'
  ].join('\n')
}

function chapter (title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines.map(line => `  ${escapeUnprintable(line)}`)]
}

/** Without the checks that passed. */
function describeFailures ({ conformance }: Publication): string[] {
  const checks = conformance.checks.filter(({ status }) => status === 'failed')
  const lines = describeReport({ ...conformance, checks }).split('\n').slice(1, -1)
  const summary = describeReport(conformance).split('\n').at(-1) ?? ''
  return [...lines, summary]
}

function describeComparison ({ published, version, advice, changes }: Publication): string[] {
  if (published === undefined) return ['the registry has no version of it: there is nothing to compare with']
  if (advice === undefined) return [`not compared with ${published}`]
  const found = changes.length === 0 ? 'no difference' : `${changes.length} differences`
  return [
    `${found} from ${published}: a ${advice.step} step, ${advice.least} or higher; package.json has ${version}`
  ]
}

function describeChanges (changes: readonly Change[]): string[] {
  return steps.flatMap(step => changes.filter(change => change.step === step))
    .map(({ step, place, message }) => `${step.padEnd(5)}  ${place}: ${message}`)
}

function describeTool ({ status, text }: ToolReport): string[] {
  if (status === 'missing') return [`not installed: ${text}`]
  return status === 'passed' ? ['no findings'] : text.split('\n')
}
