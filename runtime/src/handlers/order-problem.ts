import { Value } from '@sinclair/typebox/value'
import { Id } from '../jobs/define-job.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import type { OrderProblemCode, ToldStatus } from '../orders/problem-codes.ts'
import { addProblem } from '../orders/problems.ts'
import { lockOrder } from '../orders/store.ts'

/** Names the step that did not happen because its job died. A later success removes the problem. */
interface Undone {
  code: OrderProblemCode
  text: string
}

export const undone = {
  cancelAtShop: { code: 'not-cancelled-in-shop', text: 'the order was not cancelled in the shop' },
  trackingAtShop: { code: 'tracking-not-told-to-shop', text: 'the shop did not get the tracking number' },
  trackingAtMarketplace: { code: 'tracking-not-told', text: 'the marketplace did not get the tracking number' }
} as const satisfies Record<string, Undone>

const toldStatuses: readonly unknown[] = ['processing', 'shipped', 'delivered', 'cancelled'] satisfies ToldStatus[]

/**
 * The marketplace was not told this status. Take any value: the status comes from a payload, which
 * anybody may write.
 */
export function statusUndone (status: unknown): Undone {
  const isKnown = (value: unknown): value is ToldStatus => toldStatuses.includes(value)
  return {
    code: isKnown(status) ? `${status}-not-told` : 'status-not-told',
    text: `the marketplace was not told that the order is ${String(status)}`
  }
}

/** Notes on the order which step did not happen. */
export function problemOnDeath (undoneIn: (payload: Readonly<Record<string, unknown>>) => Undone): DeathEffects {
  return async ({ query }, { payload }, { message }) => {
    const orderId = orderIdIn(payload)
    const order = orderId === undefined ? undefined : await lockOrder(query, orderId)
    if (order === undefined) return
    const { code, text } = undoneIn(payload)
    await addProblem(query, order.id, { code, detail: `${text}: ${message}` })
  }
}

/**
 * The id of the order that a job is about, if the payload names one. Anybody may write payloads,
 * and an effect that failed because of one would keep a dead job from ending.
 */
export function orderIdIn ({ orderId }: Readonly<Record<string, unknown>>): string | undefined {
  return Value.Check(Id, orderId) ? orderId : undefined
}
