import { RejectedError, type HttpClient, type OrderStatusChange } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { readMessage } from '../errors.ts'
import { readAnswer } from '../read-answer.ts'
import { orderPath } from './path.ts'

/**
 * The place of each marketplace status in the course of an order. An unknown status counts as 0.
 */
const ranks: Readonly<Record<string, number>> = {
  created: 0,
  readyToProcess: 1,
  inProgress: 2,
  sent: 3,
  readyToPickup: 4,
  received: 5,
  returningToSender: 6,
  returned: 7
}
/**
 * The marketplace's words for the seller's status. It spells `canceled` here and `cancelled` in the
 * order's own status.
 */
const words = {
  processing: 'inProgress',
  shipped: 'sent',
  delivered: 'received',
  cancelled: 'canceled'
} as const satisfies Record<OrderStatusChange, string>
const mostAttempts = 3

const Progress = Type.Object({ id: Type.String(), status: Type.String(), sellerStatus: Type.String() })
type Progress = Static<typeof Progress>

/**
 * Writes the seller's status. After a conflict it reads the order again. An order never goes back
 * to an earlier status.
 */
export async function updateSellerStatus (
  http: HttpClient,
  externalId: string,
  status: OrderStatusChange
): Promise<void> {
  const path = orderPath(externalId)
  let order = await http.get(path, { as: Progress })
  let said = ''
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    if (isThere(order, status)) return
    const answer = await http.request({
      method: 'PATCH',
      path: `${path}/status`,
      body: { status: words[status] },
      accept: [409]
    })
    if (answer.status !== 409) {
      readAnswer(answer)
      return
    }
    said = readMessage(answer.body)
    order = await http.get(path, { as: Progress })
  }
  if (isThere(order, status)) return
  const refused = `the marketplace refused the status ${words[status]} of order ${externalId}`
  const reason = `with a conflict ${mostAttempts} times, the order is ${order.sellerStatus}${said}`
  throw new RejectedError(`${refused} ${reason}`, { status: 409 })
}

/** Whether the marketplace already has the status. Throws for a status that must not be written. */
function isThere ({ id, status, sellerStatus }: Progress, wanted: OrderStatusChange): boolean {
  if (status === 'cancelled' || sellerStatus === 'canceled') {
    if (wanted === 'cancelled') return true
    throw new RejectedError(`order ${id} is cancelled at the marketplace: its status is not set to ${words[wanted]}`)
  }
  const current = status === 'returned' ? 'returned' : sellerStatus
  const rank = ranks[current] ?? 0
  if (wanted !== 'cancelled') return rank >= (ranks[words[wanted]] ?? 0)
  if (rank >= (ranks['sent'] ?? 0)) {
    throw new RejectedError(`order ${id} is ${current} at the marketplace already: it is not cancelled`)
  }
  return false
}
