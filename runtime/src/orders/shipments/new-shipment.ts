import type { NewShipment } from '@linker/sdk'
import type { OrderRow } from '../store.ts'

/**
 * Returns the shipment for the carrier. Undefined: the order does not say where the parcel goes.
 */
export function toNewShipment ({ snapshot }: Pick<OrderRow, 'snapshot'>): NewShipment | undefined {
  const { shipping, invoiceAddress, buyer, lines, total } = snapshot
  // The address of a parcel for a pickup point only names the person: the invoice's will do.
  const recipient = shipping.address ?? (shipping.pickupPointId === undefined ? undefined : invoiceAddress)
  if (recipient === undefined) return undefined
  return {
    methodId: shipping.methodId,
    recipient,
    ...(buyer.email === undefined ? {} : { email: buyer.email }),
    ...(shipping.pickupPointId === undefined ? {} : { pickupPointId: shipping.pickupPointId }),
    ...(shipping.cashOnDelivery ? { cashOnDelivery: total } : {}),
    contents: lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')
  }
}
