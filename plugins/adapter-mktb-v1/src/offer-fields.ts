import type { Money, OfferPatch } from '@linker/sdk'
import { toUpstreamDescription } from './description.ts'

/** The sparse body for a change: only the members present are in it. */
export function toUpstream ({ price, title, description }: OfferPatch) {
  return {
    ...(price === undefined ? {} : { price: toMinorUnits(price) }),
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description: toUpstreamDescription(description) })
  }
}

/**
 * The hub's name of a field of the marketplace. They differ in one: what the hub calls title is the
 * marketplace's name.
 */
export function hubName (upstreamName: string): string {
  return upstreamName === 'name' ? 'title' : upstreamName
}

/**
 * The price in grosze, by moving digits: as a float, 19.99 times 100 is 1998.9999999999998. What is
 * finer is cut off.
 */
export function toMinorUnits ({ amount }: Money): number {
  const [whole = '', fraction = ''] = amount.split('.')
  return Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`)
}

export function toMoney (minorUnits: number): Money {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0')
  return { amount: `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency: 'PLN' }
}

/**
 * The stock that is sent for a quantity. A shop's backorders are negative; on the marketplace they
 * are sold out.
 */
export function toStock (quantity: number): number {
  return Math.max(0, quantity)
}
