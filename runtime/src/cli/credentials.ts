import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { RewrapResult } from '../credentials/rewrap/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

interface RewrapOptions extends HubOptions {
  dryRun?: boolean
  json?: boolean
}

/** `linker credentials rewrap`. */
export function addCredentials (program: Command): void {
  const credentials = program.command('credentials').description('stored secrets of a running hub')

  withHub(credentials.command('rewrap')
    .description('encrypt all stored secrets with the newest key of LINKER_CREDENTIALS_KEY, while the hub runs; ' +
      'exits with 1 when no key opens one of them')
    .option('--dry-run', 'only tell what would happen')
    .option('--json', 'print JSON'))
    .action(async ({ dryRun = false, json, ...options }: RewrapOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      createProgress(process.stderr)('the hub opens and seals the secrets')
      const result = await hub.post('/credentials/rewrap', { body: { dryRun } })
      if (result.failed.length > 0) process.exitCode = 1
      print(json === true ? JSON.stringify(result, null, 2) : describeResult(result))
    })
}

function describeResult ({ dryRun, keyId, rewrapped, failed, unusedKeyIds }: RewrapResult): string {
  const fate = `${dryRun ? 'would be' : 'are now'} encrypted with key '${keyId}'`
  const counts = formatTable(
    ['what', 'number', 'not encrypted before'],
    rewrapped.map(({ what, count, unencrypted }) => [what, String(count), String(unencrypted)])
  )
  const left = formatTable(
    ['what', 'of', 'row', 'key', 'problem'],
    failed.map(({ what, connection, id, keyId, message }) => [what, connection ?? '', id, keyId ?? '', message])
  )
  const unused = unusedKeyIds.map(id =>
    dryRun
      ? `after the run, nothing would be encrypted with key '${id}'. Keep the key until then`
      : `nothing is encrypted with key '${id}' any more: remove it from LINKER_CREDENTIALS_KEY of all processes`
  )
  return [
    `these ${fate}:`,
    ...counts.split('\n'),
    ...unused,
    ...failed.length === 0 ? [] : ['', 'no key opens these; they stay as they are:', ...left.split('\n')]
  ].map(escapeUnprintable).join('\n')
}
