import type { Money, OfferPatch } from '@linker/sdk'
import { toUpstreamDescription } from './description.ts'

/** Builds the body of a change. Members that the patch lacks are left out. */
export function toUpstream ({ price, title, description }: OfferPatch) {
  return {
    ...(price === undefined ? {} : { price: toMinorUnits(price) }),
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description: toUpstreamDescription(description) })
  }
}

/**
 * Answers the hub's name of a field of the marketplace. Only one differs: the marketplace's `name`
 * is the hub's `title`.
 */
export function hubName (upstreamName: string): string {
  return upstreamName === 'name' ? 'title' : upstreamName
}

/**
 * Answers the price in grosze. It moves digits: as a float, 19.99 times 100 is 1998.9999999999998.
 * Digits beyond one grosz are cut off.
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
 * Answers the stock to send for a quantity. A shop writes backorders as negative quantities; on the
 * marketplace they are sold out.
 */
export function toStock (quantity: number): number {
  return Math.max(0, quantity)
}
