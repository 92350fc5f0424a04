import type { Command } from 'commander'
import type { CursorView } from '../connections/cursors/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'

const keyArgument = ['<key>', 'name of the cursor, as the list shows it'] as const

interface SetOptions extends HubOptions {
  create?: boolean
  json?: boolean
}

/** `linker connections cursors list`, `set` and `reset`. */
export function addCursors (connections: Command, withHub: (command: Command) => Command): void {
  const cursors = connections.command('cursors').description('how far the hub has read the platform of a connection')

  /** Finds the hub and the path of the connection's cursors, or of one of them. */
  async function open (options: HubOptions, connection: string, key?: string): Promise<[HubClient, string]> {
    const hub = await createHubClient(process.env, process.cwd(), options)
    const path = `/connections/${await findConnection(hub, connection)}/cursors`
    return [hub, key === undefined ? path : `${path}/${encodeURIComponent(key)}`]
  }

  withHub(cursors.command('list').description('list the cursors of a connection')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: HubOptions & { json?: boolean }) => {
      const [hub, path] = await open(options, connection)
      const found = await hub.call('GET', path) as CursorView[]
      print(options.json === true ? JSON.stringify(found, null, 2) : formatCursors(found))
    })

  withHub(cursors.command('set').description('set a cursor while no job runs; the next reading goes on from there')
    .argument(...connectionArgument)
    .argument(...keyArgument)
    .argument('<value>', 'position of the platform')
    .option('--create', 'also set a cursor that the connection does not have yet')
    .option('--json', 'print JSON'))
    .action(async (connection: string, key: string, value: string, options: SetOptions) => {
      const [hub, path] = await open(options, connection, key)
      await hub.call('PUT', path, { value, create: options.create === true }).catch((error: unknown) => {
        throw withHint(error)
      })
      print(options.json === true ? JSON.stringify({ cursorKey: key, value }, null, 2) : `set ${key}`)
    })

  withHub(cursors.command('reset')
    .description('remove a cursor while no job runs; the next reading begins as for a new connection')
    .argument(...connectionArgument)
    .argument(...keyArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, key: string, options: HubOptions & { json?: boolean }) => {
      const [hub, path] = await open(options, connection, key)
      await hub.call('DELETE', path)
      print(options.json === true ? JSON.stringify({ cursorKey: key, value: null }, null, 2) : `reset ${key}`)
    })
}

function withHint (error: unknown): unknown {
  return error instanceof HubError && error.problem?.code === 'LNK_CURSOR_NOT_FOUND'
    ? new HubError(`${error.message}\n  --create sets it all the same`, { cause: error })
    : error
}

function formatCursors (found: readonly CursorView[]): string {
  return formatTable(
    ['cursor', 'value', 'updated'],
    found.map(({ cursorKey, value, updatedAt }) => [cursorKey, value, updatedAt])
  )
}
