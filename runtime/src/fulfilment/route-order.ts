import type { Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { createShipment } from '../orders/jobs.ts'
import { addProblem } from '../orders/problems.ts'
import { insertShipment } from '../orders/shipments/store.ts'
import { addHistory, type OrderRow } from '../orders/store.ts'
import { readCarriers } from './carriers.ts'
import { resolveRoute } from './resolve-route.ts'
import { readRuleSet } from './store.ts'

/**
 * Decides who dispatches an order that the shop has just received. Returns the job that gets the
 * label, when that is the hub's task.
 */
export async function routeOrder (
  { query }: Pick<Transaction, 'query'>,
  { id, connectionId, snapshot }: OrderRow,
  requestId?: string
): Promise<JobRequest[]> {
  const { rules } = await readRuleSet(query, connectionId)
  const request = { connectionId, deliveryMethodId: snapshot.shipping.methodId }
  const { carrierId, problem, ...route } = resolveRoute(rules, await readCarriers(query), request)
  await addHistory(query, id, 'routed', route)
  if (problem !== undefined) await addProblem(query, id, { code: 'routing', detail: problem })
  if (carrierId === null) return []
  await insertShipment(query, { orderId: id, connectionId: carrierId, problem })
  return [createShipment.request({ orderId: id }, {
    connectionId: carrierId,
    key: `shipment-create:${id}`,
    requestId
  })]
}
