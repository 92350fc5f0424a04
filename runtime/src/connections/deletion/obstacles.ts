import type { SchemaProblem } from '@linker/sdk/host'
import type { Query } from '../../database/database.ts'
import { DeletionRefusedError } from '../../errors.ts'
import { argumentOf } from '../../words.ts'
import type { Connection } from '../entity.ts'
import type { Belongings } from './belongings.ts'

type InService = Pick<Connection, 'status' | 'pauses'>

/** Whether an operator has taken a connection out of service: none of its jobs begins. */
export function isAtRest ({ status, pauses }: InService): boolean {
  return status === 'disabled' || pauses.some(({ capability }) => capability === null)
}

/**
 * Returns what stands in the way of a deletion, except running jobs. `isForced`: open orders do
 * not.
 */
export async function findObstacles (
  query: Query,
  connection: InService & Pick<Connection, 'id' | 'name'>,
  { uses, openOrders }: Pick<Belongings, 'uses' | 'openOrders'>,
  isForced: boolean
): Promise<SchemaProblem[]> {
  const found = isAtRest(connection) ? [] : [inService(connection)]
  for (const findUses of uses) found.push(...await findUses(query, connection.id))
  const orders = isForced ? 0 : await openOrders.count(query, connection.id)
  return orders === 0
    ? found
    : [...found, hasOrders(connection, orders, await openOrders.first(query, connection.id))]
}

/** Throws when anything stands in the way. */
export function refuseDeletion (obstacles: readonly SchemaProblem[]): void {
  if (obstacles.length === 0) return
  const reasons = obstacles.map(({ message }) => message).join('; ')
  throw Object.assign(new DeletionRefusedError(reasons), { errors: obstacles })
}

function inService ({ id, name, status }: Pick<Connection, 'id' | 'name' | 'status'>): SchemaProblem {
  return {
    pointer: '',
    code: 'in-service',
    message: `its status is '${status}': disable it first, with \`linker connections disable ${
      argumentOf({ id, name })
    }\` or PATCH /connections/${id}/disable, or pause the whole of it`
  }
}

function hasOrders (
  { id, name }: Pick<Connection, 'id' | 'name'>,
  count: number,
  first: readonly string[]
): SchemaProblem {
  const argument = argumentOf({ id, name })
  return {
    pointer: '/force',
    code: 'open-orders',
    message: `open orders (${count}) still need it, the oldest of them: ${first.join(', ')}. See what each waits for ` +
      'with `linker orders show ID` or GET /orders/{id}. To delete it all the same: ' +
      `\`linker connections delete ${argument} --force\` or DELETE /connections/${id}?force=true`
  }
}
