import { Option, type Command } from 'commander'
import type { AuditView } from '../audit/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { findConnectionEvenDeleted, readConnectionNames, type ConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'
import { parseCount } from './parse-count.ts'
import { parsePast, pastForms } from './parse-time.ts'

interface AuditOptions extends HubOptions {
  connection?: string
  actor?: string
  action?: string
  since?: string
  limit: number
  json?: boolean
}

export function addAudit (program: Command): void {
  withHub(program.command('audit').description('list who changed what in a running hub, newest first')
    .option('--connection <connection>', 'only changes of this connection, by its name or id; a deleted one, too')
    .option('--actor <name>', 'only changes by this token or adapter, or by `hub` itself')
    .option('--action <action>', 'only this action, such as connection.disable')
    .option('--since <time>', `only changes made at this time or later: ${pastForms}; default: 30d`, parsePast)
    .addOption(new Option('--limit <n>', 'most changes').default(200).argParser(parseCount))
    .option('--json', 'print JSON'))
    .action(async ({ connection, actor, action, since = monthAgo(), limit, json, ...options }: AuditOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const connectionId = connection === undefined ? undefined : await findConnectionEvenDeleted(hub, connection)
      const entries = await hub.list('/audit', { connectionId, actor, action, since }, limit) as AuditView[]
      if (json === true) print(JSON.stringify(entries, null, 2))
      else print(formatEntries(entries, await readConnectionNames(hub)))
    })
}

function monthAgo (): string {
  return new Date(Date.now() - 30 * 86_400_000).toISOString()
}

function formatEntries (entries: readonly AuditView[], names: ConnectionNames): string {
  return formatTable(
    ['time', 'actor', 'action', 'of', 'changes'],
    entries.map(({ createdAt, actor, action, objectName, objectId, connectionId, changes }) => [
      createdAt,
      actor.name,
      action,
      objectName ?? names.get(connectionId ?? '') ?? objectId ?? '',
      changes.map(formatChange).join(', ')
    ])
  )
}

function formatChange ({ pointer, from, to, isSecret }: AuditView['changes'][number]): string {
  const name = pointer.slice(1)
  if (isSecret === true) return `${name}: another secret`
  return `${name}: ${from === undefined ? '' : `${JSON.stringify(from)} → `}${
    to === undefined ? 'removed' : JSON.stringify(to)
  }`
}
