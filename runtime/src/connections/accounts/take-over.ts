import type { Query, Transaction } from '../../database/database.ts'
import { TakeOverRefusedError } from '../../errors.ts'
import type { Connection } from '../entity.ts'
import type { Patching } from '../patch.ts'
import { setMembers } from '../store.ts'
import { closeFormerConnection, findFormer, type FormerConnection, type NamedConnection } from './store.ts'

/** Rows that a connection took over. */
export interface Taken {
  /** Names the rows to an operator. */
  what: string
  count: number
}

/** Gives a connection the rows that a deleted connection of its account left in higher folders. */
export type TakeOver = (
  transaction: Transaction,
  former: NamedConnection,
  connection: Pick<Connection, 'id'>
) => Promise<Taken[]>

interface TakeOverOptions {
  changeBetweenJobs: Patching['changeBetweenJobs']
  takeOver: TakeOver
  now: () => Date
}

const waitMs = 30_000

export function createTakeOver ({ changeBetweenJobs, takeOver, now }: TakeOverOptions) {
  /** Takes over a deleted connection to the same account. Returns what was taken over. */
  return async function takeOverConnection (id: string, formerId: string): Promise<Taken[]> {
    let taken: Taken[] = []
    await changeBetweenJobs(id, { waitMs, action: 'connection.take-over' }, async (connection, transaction) => {
      const { em, query } = transaction
      if (typeof connection.accountShared === 'string') {
        throw new TakeOverRefusedError('Another connection to this account takes its orders: let that one take over')
      }
      const former = await requireFormer(query, connection.platformType, connection.accountId, formerId)
      taken = await takeOver(transaction, former, connection)
      await closeFormerConnection(query, former.id, connection.accountId)
      setMembers(em, connection, {
        ordersSince: earlierOf(connection.ordersSince, former.ordersSince),
        updatedAt: now()
      })
    })
    return taken
  }
}

/** Null is the earliest: the hub makes all orders. */
function earlierOf (one: Date | null | undefined, other: Date | null): Date | null {
  return one instanceof Date && other !== null ? new Date(Math.min(one.getTime(), other.getTime())) : null
}

/**
 * Returns the deleted connection that a connection of an account may take over. Throws when it is
 * not deleted, or opened another account.
 */
export async function requireFormer (
  query: Query,
  platformType: string,
  accountId: string | null | undefined,
  formerId: string
): Promise<FormerConnection> {
  const former = await findFormer(query, platformType, accountId ?? undefined, formerId)
  if (former !== undefined) return former
  throw new TakeOverRefusedError(typeof accountId === 'string'
    ? `'${formerId}' is no deleted connection to this account: GET /connections/deleted lists those that are deleted`
    : 'The platform has not named the account of this connection yet. Test the connection, then take over')
}
