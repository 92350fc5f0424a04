import type { SchemaProblem } from '@linker/sdk/host'
import type { Query } from '../../database/database.ts'
import { argumentOf } from '../../words.ts'
import type { Connection } from '../entity.ts'
import { listDeleted } from '../store.ts'

/** Most deleted connections to one account that are looked at. */
const mostDeleted = 50

/**
 * Returns what the creator of a connection has to know about its account: the platform has not
 * named it, or a deleted connection opened it and nothing was taken over.
 */
export async function findAccountWarnings (query: Query, connection: Connection): Promise<SchemaProblem[]> {
  const { id, accountId } = connection
  if (typeof accountId !== 'string') return [accountUnknown]
  const former = (await listDeleted(query, { limit: mostDeleted, takeOverBy: id })).at(-1)
  if (former === undefined) return []
  return [{
    pointer: '/takeOver',
    code: 'deleted-account',
    message: `connection '${former.name}' (${former.id}), which was deleted at ${former.deletedAt}, opened the same ` +
      'account. The hub makes no order in the shop that was placed before the new connection was made, unless the ' +
      `new one takes over: \`linker connections take-over ${argumentOf(connection)} ${former.id}\` or ` +
      `POST /connections/${id}/take-over`
  }]
}

const accountUnknown: SchemaProblem = {
  pointer: '',
  code: 'account-unknown',
  message: 'the platform has not named the account of the connection, so the hub cannot see whether another one ' +
    'opens it, too. `linker connections test` asks again, and so does the hub before it takes orders'
}
