import { Value } from '@sinclair/typebox/value'
import { addProblem } from '../orders/problems.ts'
import { lockOrder } from '../orders/order-row.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import { Id } from '../jobs/define-job.ts'

/**
 * The beginning of the problem that an order shows when a job about it has died. A later success
 * takes the problem back.
 */
export const undone = {
  cancelAtShop: 'it was not cancelled in the shop',
  trackingAtShop: 'the shop was not told its parcel',
  trackingAtMarketplace: 'the marketplace was not told its parcel',
  statusAtMarketplace: (status: unknown) => `the marketplace was not told that it is ${String(status)}`
}

/** Notes on the order what did not happen. */
export function problemOnDeath (textOf: (payload: Readonly<Record<string, unknown>>) => string): DeathEffects {
  return async ({ query }, { payload }, { message }) => {
    const orderId = orderIdIn(payload)
    const order = orderId === undefined ? undefined : await lockOrder(query, orderId)
    if (order !== undefined) await addProblem(query, order.id, `${textOf(payload)}: ${message}`)
  }
}

/**
 * The id of the order that a job is about, if the payload names one. Anybody may write payloads,
 * and an effect that failed because of one would keep a dead job from ending.
 */
export function orderIdIn ({ orderId }: Readonly<Record<string, unknown>>): string | undefined {
  return Value.Check(Id, orderId) ? orderId : undefined
}
