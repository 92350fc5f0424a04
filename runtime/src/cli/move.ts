import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { Move, PastMove } from '../connections/moves/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'

interface MoveOptions extends HubOptions {
  to: string
  key?: string
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** `linker connections move`, `linker connections rollback` and `linker connections moves`. */
export function addMoves (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('move')
    .description('move a connection to another version of its adapter while none of its jobs runs')
    .argument(...connectionArgument)
    .requiredOption('--to <version>', 'exact version, range or `latest`')
    .option('--key <key>', 'new adapter key, if it changes')
    .option('--dry-run', 'print what would change, without changing it')
    .option('--yes', 'accept lost capabilities, new permissions and irreversible migrations')
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: MoveOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, connection)
      tellWait(options)
      const moved = await hub.call('POST', `/connections/${id}/adapter`, {
        adapterVersion: options.to,
        adapterKey: options.key,
        dryRun: options.dryRun === true,
        confirm: options.yes === true
      }).catch((error: unknown) => {
        throw withHint(error)
      }) as Move
      if (options.json === true) return print(JSON.stringify(moved, null, 2))
      print(describeMove(moved))
      if (options.dryRun === true && options.yes !== true && needsConfirmation(moved)) {
        print('  To make this move, add --yes. This accepts lost capabilities, new permissions and irreversible ' +
          'migrations')
      }
    })

  withHub(connections.command('rollback')
    .description('undo the last move of a connection: version, config, capabilities and cursors as they were')
    .argument(...connectionArgument)
    .option('--dry-run', 'print what would change, without changing it')
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: HubOptions & { dryRun?: boolean, json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, connection)
      tellWait(options)
      const moved = await hub.call('POST', `/connections/${id}/adapter/rollback`, {
        dryRun: options.dryRun === true
      }) as Move
      print(options.json === true ? JSON.stringify(moved, null, 2) : describeMove(moved))
    })

  withHub(connections.command('moves').description('list the last moves of a connection, newest first')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, connection)
      const moves = await hub.call('GET', `/connections/${id}/adapter/moves`) as PastMove[]
      print(options.json === true ? JSON.stringify(moves, null, 2) : formatMoves(moves))
    })
}

/** A move waits up to half a minute for the running jobs of the connection. */
function tellWait ({ dryRun }: { dryRun?: boolean }): void {
  if (dryRun !== true) createProgress(process.stderr)('the hub waits for running jobs and moves the connection')
}

// The list of changes shows these already, so they are not printed as warnings again.
const toConfirm: ReadonlySet<string> = new Set(['capability-lost', 'permission-grown', 'one-way'])

/** Whether the hub makes this move only after a confirmation. */
export function needsConfirmation ({ warnings }: Pick<Move, 'warnings'>): boolean {
  return warnings.some(({ code }) => toConfirm.has(code))
}

function withHint (error: unknown): unknown {
  return error instanceof HubError && error.problem?.code === 'LNK_MOVE_UNCONFIRMED'
    ? new HubError(`${error.message}\n  --yes accepts this`, { cause: error })
    : error
}

export function describeMove (move: Move): string {
  const title = `${nameOf(move.from)} → ${nameOf(move.to)}${move.applied ? '' : '  (dry run: nothing was changed)'}`
  const events = move.changes.events.length === 0 ? ['  events: no change'] : []
  return [title, ...describeChanges(move), ...events].map(escapeUnprintable).join('\n')
}

export function nameOf ({ adapterKey, adapterVersion, version }: Move['from']): string {
  return `${adapterKey}@${version ?? `${adapterVersion ?? 'latest'} (not installed)`}`
}

function formatMoves (moves: readonly PastMove[]): string {
  return formatTable(
    ['time', 'from', 'to', 'actor', 'rolled back'],
    moves.map(({ movedAt, movedBy, from, to, rolledBackAt }) => [
      movedAt,
      pinOf(from),
      to === null ? '(not known)' : pinOf(to),
      movedBy?.name ?? '(not known)',
      rolledBackAt ?? ''
    ])
  )
}

function pinOf ({ adapterKey, adapterVersion }: PastMove['from']): string {
  return `${adapterKey}@${adapterVersion ?? 'latest'}`
}

/** One indented line per change and warning. */
export function describeChanges ({ changes, warnings }: Pick<Move, 'changes' | 'warnings'>): string[] {
  const { config, capabilities, permissions, migrations, events } = changes
  return [
    ...migrations.map(({ from, to, direction, isReversible }) =>
      `  migrates  ${direction === 'up' ? `${from} → ${to}` : `${to} → ${from}`}${isReversible ? '' : ', irreversible'}`
    ),
    ...config.map(({ pointer, from, to, isSecret }) =>
      `  config    ${pointer}: ${isSecret === true ? '(secret)' : `${textOf(from)} → ${textOf(to)}`}`
    ),
    ...capabilities.lost.map(name => `  loses     ${name}`),
    ...capabilities.gained.map(name => `  gains     ${name}`),
    ...permissions.grown.map(permission => `  may now   ${permission}`),
    ...permissions.dropped.map(permission => `  no longer ${permission}`),
    ...events.map(({ eventType, from, to }) =>
      `  event     ${eventType}: ${from ?? '(ignored)'} → ${to ?? '(ignored)'}`
    ),
    ...warnings.filter(({ code }) => !toConfirm.has(code)).map(({ pointer, message }) =>
      `  warning   ${pointer} ${message}`
    )
  ]
}

function textOf (value: unknown): string {
  return value === undefined ? '(absent)' : JSON.stringify(value)
}
