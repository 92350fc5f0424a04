import { conformanceChecks, runConformance } from '@linker/sdk/testing'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import t from 'tap'
import { limits } from './find-faults.ts'
import { writeAdapter } from './good-adapter.ts'

const read = (name: string): Promise<string> => readFile(new URL(`../../../${name}`, import.meta.url), 'utf8')

function firstBlock (document: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(document)?.[1] ?? ''
}

t.test('the adapter of the README conforms, with the settings of CONFORMANCE.md', async t => {
  const [readme, conformance] = await Promise.all([read('README.md'), read('CONFORMANCE.md')])
  const packageJson = JSON.parse(firstBlock(readme, 'json')) as Record<string, unknown>
  const { exemptions, ...settings } = JSON.parse(firstBlock(conformance, 'json')) as Record<string, unknown>
  t.ok(exemptions)
  // The output of its build.
  const built = stripTypeScriptTypes(firstBlock(readme, 'ts'))
  const { directory, remove } = await writeAdapter({ packageJson, settings, source: '' }, { 'dist/index.js': built })
  t.teardown(remove)

  const { checks } = await runConformance(directory, { limits })

  t.strictSame(
    checks.filter(({ status }) => status !== 'passed').map(({ id, findings, reason }) => ({ id, findings, reason })),
    [
      { id: 'L1-SHP-08', findings: [], reason: 'it declares no authorisation' },
      { id: 'L1-SHP-09', findings: [], reason: 'it declares no verification of webhooks' },
      { id: 'L1-SHP-10', findings: [], reason: 'it declares no challenges of webhooks' },
      { id: 'L1-SHP-12', findings: [], reason: 'it declares no place of the events of webhooks' },
      { id: 'L1-RUN-04', findings: [], reason: 'it has no init, normalizeCredentials or checkConfig' },
      { id: 'L2-ERR-21', findings: [], reason: 'it has no getOrder of a marketplace' },
      ...conformanceChecks.filter(({ level }) => level === 3).map(({ id }) => ({
        id,
        findings: [],
        reason: 'linker.conformance.json has no fixtures'
      }))
    ]
  )
})
