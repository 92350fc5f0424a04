import { eventually } from '../support/api.ts'
import type { StockLine } from '../support/stock-line.ts'
import { hasEnded, listAll, listJobs } from './jobs.ts'
import type { Desk } from './order-desks.ts'
import type { HubOrder } from './order-record.ts'

const longestReadMs = 120_000

/** Waits until the hub has a record of every order and no job for one is under way. */
export async function awaitOrders (line: StockLine, desks: readonly Desk[]): Promise<HubOrder[]> {
  const isInboxRead = async (): Promise<true | undefined> =>
    line.market.inbox().every(({ read }) => read) ? true : undefined
  const areOrdersRead = async (): Promise<true | undefined> => areRead(desks, await listOrders(line)) ? true : undefined
  const haveJobsEnded = async (): Promise<true | undefined> => {
    const jobs = await listJobs(line.call, 'since=1970-01-01T00:00:00Z')
    const ofOrders = jobs.filter(({ idempotencyKey }) => idempotencyKey.startsWith('order'))
    return ofOrders.every(hasEnded) ? true : undefined
  }

  // A wait that fails is no error here: the counts show what is missing.
  await eventually('the hub to read every message of the inbox', isInboxRead, longestReadMs).catch(() => undefined)
  await eventually('the hub to read the last state of every order', areOrdersRead, longestReadMs)
    .catch(() => undefined)
  await eventually('the end of the jobs of all orders', haveJobsEnded).catch(() => undefined)
  return listOrders(line)
}

function areRead (desks: readonly Desk[], known: readonly HubOrder[]): boolean {
  const status = new Map(known.map(order => [order.externalId, order.status]))
  const isRead = (id: string, isCancelled: boolean): boolean =>
    isCancelled ? status.get(id) === 'cancelled' : !['pending', 'cancelled', undefined].includes(status.get(id))
  return desks.every(({ placed }) =>
    placed.filter(({ isJoined }) => !isJoined).every(({ id, isCancelled }) => isRead(id, isCancelled))
  )
}

async function listOrders ({ call }: StockLine): Promise<HubOrder[]> {
  return listAll(call, '/orders?newestFirst=false')
}
