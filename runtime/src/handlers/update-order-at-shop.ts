import { AdapterErrorCode, isAdapterError, UpdatedOrder, type Order, type OrderChanges } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import { updateOrderAtShop } from '../orders/jobs.ts'
import { readLines, type LineRow } from '../orders/lines/store.ts'
import type { NotApplied } from '../orders/shop/change-words.ts'
import { openChanges, storeNotUpdated, storeUpdated, whyClosed } from '../orders/shop/changed-order.ts'
import { hasChanges, namesOf } from '../orders/shop/differences.ts'
import { readOrder, type OrderRow } from '../orders/store.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'
import { openShop } from './open-shop.ts'
import { orderIdIn } from './order-problem.ts'

const method = 'updateOrder'

/**
 * Makes the order in the shop like the one at its marketplace, which changed after the shop got it.
 * What the shop does not take becomes a problem of the order, and the job succeeds. The result
 * names the changes only: their values are data of the buyer.
 */
export default implementJob(updateOrderAtShop, async (job, services) => {
  const { query } = services.database
  const order = await readOrder(query, job.payload.orderId)
  if (order === undefined || order.destinationExternalId === null) {
    return { result: { skipped: 'the order is not in the shop' } }
  }
  const changes = openChanges(order)
  if (!hasChanges(changes)) return { result: { skipped: 'the shop has the order as it is at the marketplace' } }
  const { id, snapshot, destinationExternalId: externalId } = order
  const notApplied = await change(job, services, { order, externalId, changes })
  const refused = notApplied.map(({ what }) => what)
  return {
    result: { externalId, applied: namesOf(changes).filter(name => !refused.includes(name)), notApplied: refused },
    effects: async transaction => storeUpdated(transaction.query, id, { snapshot, changes, notApplied }, job.requestId)
  }
}, noteUndone)

interface Wanted {
  order: OrderRow
  externalId: string
  changes: OrderChanges
}

async function change (
  job: CheckedJob,
  services: HandlerServices,
  { order, externalId, changes }: Wanted
): Promise<NotApplied[]> {
  const none = (reason: string): NotApplied[] => namesOf(changes).map(what => ({ what, reason }))
  const reason = whyClosed(order)
  if (reason !== undefined) return none(reason)
  const opened = await openShop(job, services, order)
  if (opened.adapter.description.capabilities.OrderProcessorManager?.includes(method) === false) {
    return none('the adapter of the shop cannot change orders')
  }
  const wanted = withVariants(changes, await readLines(services.database.query, order.id))
  try {
    const answer = await callCapability(services, job, opened, 'OrderProcessorManager', method, externalId, wanted)
    return parseAnswer(UpdatedOrder, `OrderProcessorManager.${method}`, answer).notApplied
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.rejected) throw error
    return none(`the shop refuses it: ${error.message}`)
  }
}

function withVariants (changes: OrderChanges, rows: readonly LineRow[]): OrderChanges {
  if (changes.lines === undefined) return changes
  const known = new Map(rows.map(row => [row.externalId, row]))
  const withVariant = <Line extends Order['lines'][number]>(line: Line): Line => {
    const { productExternalId, variantExternalId } = known.get(line.externalId) ?? {}
    if (typeof productExternalId !== 'string' || typeof variantExternalId !== 'string') return line
    return { ...line, productExternalId, variantExternalId }
  }
  return {
    ...changes,
    lines: changes.lines.map(({ from, to }) => ({
      ...from === undefined ? {} : { from: withVariant(from) },
      ...to === undefined ? {} : { to: withVariant(to) }
    }))
  }
}

async function noteUndone (...[{ query }, { payload }, { message }]: Parameters<DeathEffects>): Promise<void> {
  const orderId = orderIdIn(payload)
  if (orderId !== undefined) await storeNotUpdated(query, orderId, message)
}
