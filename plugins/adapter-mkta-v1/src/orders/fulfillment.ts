import { RejectedError, type HttpClient, type OrderStatusChange } from '@linker/sdk'
import { fetchOrder } from './fetch.ts'
import { orderPath } from './path.ts'
import { fulfillmentOf, isCancelled, parseCheckoutForm, type CheckoutForm } from './read.ts'

/** The place of each marketplace status in the course of an order. */
const ranks: Readonly<Record<string, number>> = {
  NEW: 0,
  SUSPENDED: 0,
  PROCESSING: 1,
  READY_FOR_SHIPMENT: 2,
  READY_FOR_PICKUP: 2,
  SENT: 3,
  PICKED_UP: 4,
  RETURNED: 5
}
const words = {
  processing: 'PROCESSING',
  shipped: 'SENT',
  delivered: 'PICKED_UP',
  cancelled: 'CANCELLED'
} as const satisfies Record<OrderStatusChange, string>
/** Limits the attempts: the buyer may change the order between each read and write. */
const mostAttempts = 3

/**
 * Writes the fulfilment status on the revision that was just read. After a conflict it reads the
 * order again. An order never goes back to an earlier status.
 */
export async function updateFulfillment (
  http: HttpClient,
  externalId: string,
  status: OrderStatusChange
): Promise<void> {
  const path = orderPath(externalId)
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const form = parseCheckoutForm(await fetchOrder(http, externalId))
    if (isThere(form, status)) return
    const query = { 'checkoutForm.revision': form.revision ?? undefined }
    const answer = await http.request({
      method: 'PUT',
      path: `${path}/fulfillment`,
      query,
      body: { status: words[status] },
      accept: [409]
    })
    if (answer.status !== 409) return
  }
  throw new RejectedError(
    `the marketplace refused the status ${words[status]} of order ${externalId} with a conflict ${mostAttempts} times`,
    { status: 409 }
  )
}

/** Whether the marketplace already has the status. Throws for a status that must not be written. */
function isThere (form: CheckoutForm, status: OrderStatusChange): boolean {
  if (isCancelled(form)) {
    if (status === 'cancelled') return true
    const word = words[status]
    throw new RejectedError(`order ${form.id} is cancelled at the marketplace: its status is not set to ${word}`)
  }
  const current = fulfillmentOf(form)
  const rank = ranks[current] ?? 0
  if (status !== 'cancelled') return rank >= (ranks[words[status]] ?? 0)
  if (rank >= (ranks['SENT'] ?? 0)) {
    throw new RejectedError(`order ${form.id} is ${current} at the marketplace already: it is not cancelled`)
  }
  return false
}
