import type { Money } from '@linker/sdk'
import type { Facts } from './facts.ts'
import type { PriceExplanation } from './schemas.ts'

/** Says which price of the shop an offer has. Null: the hub does not know the offer's price. */
export function explainPrice (facts: Facts): PriceExplanation | null {
  if (facts.kind === 'unlinked' || facts.offer.price === null) return null
  const { offer: { price: offer }, variant: { price, regularPrice }, shop: { name } } = facts
  const basis = basisOf(offer, price, regularPrice)
  return { basis, offer, price, regularPrice, sentence: `The offer has ${textOf(offer)}${sourceOf()}.` }

  function sourceOf (): string {
    if (price === null) return `; shop '${name}' tells no price`
    const today = `shop '${name}' sells at ${textOf(price)} today`
    if (basis === 'regularPrice') return `, the shop's price without its promotion; ${today}`
    const regular = regularPrice === null ? undefined : textOf(regularPrice)
    if (basis === 'other') return `; ${today}${regular === undefined ? '' : `, without its promotion at ${regular}`}`
    const promotion = regular === undefined ? '' : ` with its promotion; without it the price is ${regular}`
    return `, as shop '${name}'${promotion}`
  }
}

function basisOf (offer: Money, price: Money | null, regularPrice: Money | null): PriceExplanation['basis'] {
  if (price !== null && isSame(offer, price)) return 'price'
  return regularPrice !== null && isSame(offer, regularPrice) ? 'regularPrice' : 'other'
}

/** Whether two amounts are equal, however many zeros they end with. */
function isSame (left: Money, right: Money): boolean {
  return left.currency === right.currency && Number(left.amount) === Number(right.amount)
}

function textOf ({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}
