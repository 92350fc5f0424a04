import type { Command } from 'commander'
import type { SearchResult } from '../search/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { readConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubClient, type HubOptions } from './hub-client.ts'

export function addSearch (program: Command): void {
  withHub(program.command('search')
    .description('find connections, variants, offers, orders, jobs and deliveries; exits with 1 when there are none')
    .argument(
      '<text>',
      'an id or its beginning, an id at a platform, an SKU, an EAN, a request id, or the beginning of an SKU or ' +
        'name'
    )
    .option('--json', 'print JSON'))
    .action(async (text: string, { json, ...options }: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const found = await hub.get('/search', { query: { q: text } })
      if (found.length === 0) process.exitCode = 1
      if (json === true) print(JSON.stringify(found, null, 2))
      else print(found.length === 0 ? 'nothing found' : await formatResults(hub, found))
    })
}

async function formatResults (hub: HubClient, found: readonly SearchResult[]): Promise<string> {
  const names = await readConnectionNames(hub)
  return formatTable(
    ['kind', 'title', 'detail', 'connection', 'matched by', 'id'],
    found.map(({ kind, title, subtitle, connectionId, matchedBy, id }) => [
      kind,
      title,
      subtitle,
      connectionId === undefined ? '' : names.get(connectionId) ?? connectionId,
      matchedBy,
      id
    ])
  )
}
