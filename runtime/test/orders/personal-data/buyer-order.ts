import type { Order } from '@linker/sdk'
import { orderOf } from '../journal.ts'

/** A part of every text that belongs to the buyer. */
export const canary = 'Canary-Person'

const address = {
  firstName: canary,
  lastName: canary,
  street: `${canary} street 1`,
  postcode: `00-${canary}`,
  city: canary,
  country: 'PL',
  phone: `+48 ${canary}`
}

/** Everything that an order can know of its buyer. */
export const buyerData: Partial<Order> = {
  buyer: { externalId: `buyer-${canary}`, email: `${canary}@example.com` },
  shipping: { ...orderOf('').shipping, pickupPointId: `point-${canary}`, address },
  payment: {
    method: 'cash-on-delivery',
    paid: { amount: '0.00', currency: 'PLN' },
    methodName: `to the account of ${canary}`
  },
  extras: [{ kind: 'service', name: `Engraving '${canary}'`, price: orderOf('').total }],
  fulfilment: 'seller',
  invoiceAddress: { ...address, company: canary, taxId: canary },
  comment: `ring at ${canary}`,
  tracking: { carrier: 'C', number: canary }
}

export function buyerOrder (externalId: string, more: Partial<Order> = {}): Order {
  return orderOf(externalId, { ...buyerData, ...more })
}
