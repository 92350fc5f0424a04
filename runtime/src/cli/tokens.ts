import { InvalidArgumentError, type Command } from 'commander'
import type { TokenView } from '../access/schemas.ts'
import { tokenScopes } from '../http/authentication.ts'
import { print, printError } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { isUuid } from '../text-patterns.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'

interface CreateOptions extends HubOptions {
  name: string
  scope: string
  days?: number
  json?: boolean
}

const dayMs = 86_400_000
const mostDays = 3_650

export function addTokens (program: Command): void {
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)
  const tokens = program.command('tokens').description('named tokens of a running hub')

  withHub(tokens.command('create').description('make a named token and print it; the hub shows it only this once')
    .requiredOption('--name <name>', 'who uses the token')
    .requiredOption('--scope <scope>', `what it allows: ${tokenScopes.join(', ')}`)
    .option('--days <days>', 'the token ends after so many days; without it, it has no end', parseDays)
    .option('--json', 'print JSON'))
    .action(async (options: CreateOptions) => {
      const { name, scope, days } = options
      const made = await (await client(options)).call('POST', '/tokens', {
        name,
        scope,
        expiresAt: days === undefined ? undefined : new Date(Date.now() + days * dayMs).toISOString()
      }) as TokenView & { token: string }
      if (options.json === true) print(JSON.stringify(made, null, 2))
      else {
        // Only the token goes to standard output, so that a script can store it.
        print(made.token)
        printError(`${made.name}: ${made.scope}, ${made.expiresAt === null ? 'no end' : `until ${made.expiresAt}`}; ` +
          'store it now, because the hub keeps only its hash')
      }
    })

  withHub(tokens.command('list').description('list the named tokens').option('--json', 'print JSON'))
    .action(async (options: HubOptions & { json?: boolean }) => {
      const found = await listTokens(await client(options))
      print(options.json === true ? JSON.stringify(found, null, 2) : formatTokens(found, new Date()))
    })

  withHub(tokens.command('revoke').description('end a named token at once').argument(
    '<token>',
    'name or id of the token'
  )
    .option('--json', 'print JSON'))
    .action(async (nameOrId: string, options: HubOptions & { json?: boolean }) => {
      const hub = await client(options)
      const { id, name } = await findToken(hub, nameOrId)
      await hub.call('DELETE', `/tokens/${id}`)
      print(options.json === true ? JSON.stringify({ id, name }, null, 2) : `revoked ${name}`)
    })
}

async function listTokens (hub: HubClient): Promise<TokenView[]> {
  return await hub.list('/tokens') as TokenView[]
}

async function findToken (hub: HubClient, nameOrId: string): Promise<Pick<TokenView, 'id' | 'name'>> {
  if (isUuid(nameOrId)) return { id: nameOrId, name: nameOrId }
  const all = await listTokens(hub)
  const found = all.find(({ name }) => name === nameOrId)
  if (found !== undefined) return found
  throw new HubError(`no token is called '${nameOrId}'; existing names: ${
    all.map(({ name }) => `'${name}'`).join(', ') || 'none'
  }`)
}

function formatTokens (tokens: readonly TokenView[], now: Date): string {
  return formatTable(
    ['name', 'scope', 'end', 'last used', 'made by', 'id'],
    tokens.map(({ name, scope, expiresAt, lastUsedAt, createdBy, id }) => [
      name,
      scope,
      expiresAt === null ? '' : `${expiresAt}${new Date(expiresAt) <= now ? ' (over)' : ''}`,
      lastUsedAt ?? 'never',
      createdBy,
      id
    ])
  )
}

function parseDays (text: string): number {
  const days = Number(text)
  if (!(Number.isInteger(days) && days >= 1 && days <= mostDays)) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostDays}.`)
  }
  return days
}
