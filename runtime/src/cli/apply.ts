import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { countOf } from '../words.ts'
import { withHub } from './connections.ts'
import type { Applied } from './declaration/apply-declaration.ts'
import type { MemberChange } from './declaration/step.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'
import { readInput } from './read-input.ts'

interface ApplyOptions extends HubOptions {
  credentials?: string
  dryRun?: boolean
  json?: boolean
}

/** `linker apply`. */
export function addApply (program: Command): void {
  withHub(program.command('apply')
    .description('create and change what a file of linker export says, and delete nothing; exits with 1 when a part ' +
      'has to wait')
    .argument('<file>', 'path of the YAML file; `-`: standard input')
    .option(
      '--credentials <file>',
      'YAML file with the credentials of connections that are to be created, by their names; `-`: standard input'
    )
    .option('--dry-run', 'only tell what would change')
    .option('--json', 'print JSON'))
    .action(async (file: string, { credentials: secrets, dryRun = false, json, ...options }: ApplyOptions) => {
      const [{ readDeclaration }, { readCredentialsFile }, { applyDeclaration }] = await Promise.all([
        import('./declaration/read-declaration.ts'),
        import('./declaration/read-credentials-file.ts'),
        import('./declaration/apply-declaration.ts')
      ])
      const { text, source } = await readInput(file, { holds: 'a declaration', namesPath: true })
      const read = readDeclaration(text, source)
      if (file === '-' && secrets === '-') throw new HubError('only one of both can come from standard input')
      const credentials = secrets === undefined ? new Map() : await readCredentialsFile(secrets, read.declaration)
      const hub = await createHubClient(process.env, process.cwd(), options)
      const applied = await applyDeclaration(hub, read, {
        isDryRun: dryRun,
        credentials,
        onStep: createProgress(process.stderr)
      })
      if (applied.skipped.length > 0) process.exitCode = 1
      print(json === true ? JSON.stringify(applied, null, 2) : describeApplied(applied))
    })
}

function describeApplied ({ dryRun, steps, skipped }: Applied): string {
  const created = steps.filter(({ object, action }) => object === 'connection' && action === 'create')
  return [
    ...steps.flatMap(({ object, name, action, changes }) => [
      `${action === 'create' ? '+' : '~'} ${object} '${name}'`,
      ...changes.map(change => `    ${describeChange(change)}`)
    ]),
    ...skipped.map(({ object, name, reason }) => `  ${object} '${name}' has to wait: ${reason}`),
    summaryOf(dryRun, steps.length),
    ...dryRun ? [] : created.map(({ name }) => `test it: linker connections test '${name}'`),
    ...skipped.length === 0 ? [] : ['apply the file again when what has to wait is there']
  ].map(escapeUnprintable).join('\n')
}

function summaryOf (dryRun: boolean, count: number): string {
  if (count === 0) return dryRun ? 'nothing would change' : 'nothing had to change'
  return `${countOf(count, 'change')}${dryRun ? ' would be made' : ''}`
}

function describeChange ({ pointer, from, to }: MemberChange): string {
  if (from === undefined) return to === undefined ? `${pointer}: set` : `${pointer}: ${JSON.stringify(to)}`
  return `${pointer}: ${JSON.stringify(from)} → ${to === undefined ? 'removed' : JSON.stringify(to)}`
}
