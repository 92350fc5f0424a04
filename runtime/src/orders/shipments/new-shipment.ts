import { addMoney, multiplyMoney, type Money, type NewShipment, type Order } from '@linker/sdk'
import type { OrderRow } from '../store.ts'

/**
 * Returns the shipment for the carrier. Undefined: the order does not say where the parcel goes.
 */
export function toNewShipment ({ snapshot }: Pick<OrderRow, 'snapshot'>): NewShipment | undefined {
  const { shipping, invoiceAddress, buyer, lines } = snapshot
  const cashOnDelivery = amountToCollect(snapshot)
  // The address of a parcel for a pickup point only names the person: the invoice's will do.
  const recipient = shipping.address ?? (shipping.pickupPointId === undefined ? undefined : invoiceAddress)
  if (recipient === undefined) return undefined
  return {
    methodId: shipping.methodId,
    recipient,
    ...(buyer.email === undefined ? {} : { email: buyer.email }),
    ...(shipping.pickupPointId === undefined ? {} : { pickupPointId: shipping.pickupPointId }),
    ...(cashOnDelivery === undefined ? {} : { cashOnDelivery }),
    contents: lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')
  }
}

/** Returns what the carrier collects from the recipient; undefined for nothing. */
export function amountToCollect ({ total, payment }: Pick<Order, 'total' | 'payment'>): Money | undefined {
  if (payment.method !== 'cash-on-delivery') return undefined
  const left = addMoney(total, multiplyMoney(payment.paid, -1))
  return Number(left.amount) > 0 ? left : undefined
}
