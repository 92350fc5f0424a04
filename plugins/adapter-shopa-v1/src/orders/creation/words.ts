import { AdapterErrorCode, isAdapterError, type NewOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import { readAll } from '../../webservice/paging.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import { reference, scalarsOf, text } from '../../webservice/row.ts'
import { isPermanent } from '../states.ts'
import { leftToPay, unpaidOf } from './payment.ts'
import { messageText, shortenMessage } from './validators.ts'

// With these errors the whole connection rests, so that the order can wait.
const rests: ReadonlySet<string> = new Set([
  AdapterErrorCode.rateLimited,
  AdapterErrorCode.unavailable,
  AdapterErrorCode.authentication
])

/** Returns what the staff of the shop must read and an order has no member for. */
export function wordsFor (order: NewOrder): string {
  const { shipping, comment, total, lines, payment, extras = [] } = order
  const unpaid = unpaidOf(order)
  const { methodId, methodName, pickupPointId } = shipping
  const variantOf = ({ productExternalId, variantExternalId }: NewOrder['lines'][number]) =>
    `${productExternalId}/${variantExternalId}`
  const severalPrices = [...Map.groupBy(lines, variantOf).values()].filter(same =>
    new Set(same.map(({ unitPrice }) => unitPrice.amount)).size > 1
  )
  const words = [
    ...unpaid === 'cashOnDelivery' ? [`Cash on delivery: collect ${leftToPay(order)} ${total.currency}`] : [],
    ...unpaid === 'deferred'
      ? [`The buyer pays later: ${payment.methodName ?? 'deferred payment'}, ${leftToPay(order)} ${total.currency}`]
      : [],
    `Delivery method: ${methodName ?? methodId}`,
    ...pickupPointId === undefined ? [] : [`Pickup point: ${pickupPointId}`],
    ...extras.map(({ name, price }) =>
      price.amount.startsWith('-')
        ? `Discount, shared among the products: ${name}, ${price.amount} ${price.currency}`
        : `Paid extra, part of the shipping costs: ${name}, ${price.amount} ${price.currency}`
    ),
    ...severalPrices.map(same =>
      `One product at several prices, merged to their average: ${
        same.map(({ quantity, name, unitPrice }) => `${quantity} x ${name} at ${unitPrice.amount}`).join(', ')
      }`
    ),
    ...comment === undefined || comment.trim() === '' ? [] : [`The buyer writes: ${comment}`]
  ]
  return words.map(messageText).join('\n')
}

/**
 * Writes the words as a message of the cart: the shop ties it to the order and shows it to staff. A
 * message that an earlier attempt wrote is replaced. Returns the problems that the order has then:
 * a failure is one of them, because the order matters more. Throws when the shop is to be left
 * alone.
 */
export async function writeWords (
  client: ShopClient,
  words: string,
  { cartId, customerId, isNew }: { cartId: string, customerId: string, isNew: boolean }
): Promise<string[]> {
  const message = shortenMessage(words)
  const cut = message === words ? [] : ['the message of the order in the shop is cut: it is too long for the shop']
  const members = { id_cart: cartId, id_customer: customerId, message, private: '0' }
  try {
    const earlier = isNew ? undefined : await findMessage(client, cartId)
    if (earlier === undefined) await client.add('messages', recordXml('message', members))
    else if (text(earlier.message) !== message) {
      const id = reference(earlier.id)
      await client.put('messages', id, recordXml('message', { ...scalarsOf(earlier), ...members }))
    }
    return cut
  } catch (error) {
    if (!isAdapterError(error) || rests.has(error.code)) throw error
    // The shop may have stored the message before it failed.
    if (!isPermanent(error) && await isWritten(client, cartId, message)) return cut
    const kinds = "delivery method, the buyer's comment and anything to collect"
    return [`the shop has no message for its staff about ${kinds}: ${error.message}`]
  }
}

async function isWritten (client: ShopClient, cartId: string, message: string): Promise<boolean> {
  try {
    return text((await findMessage(client, cartId))?.message) === message
  } catch (error) {
    if (!isAdapterError(error)) throw error
    return false
  }
}

async function findMessage (client: ShopClient, cartId: string) {
  const rows = await readAll(client, 'messages', { 'filter[id_cart]': `[${cartId}]`, display: 'full' })
  return rows.find(row => reference(row.id_cart) === cartId)
}
