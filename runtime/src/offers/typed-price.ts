import type { Money } from '@linker/sdk'
import { PriceNotConfirmedError } from '../errors.ts'
import { refuse } from './refuse.ts'

/** A price that changes by this share of the old one, or by more, needs a confirmation. */
const largestShare = { numerator: 3n, denominator: 10n }

/**
 * Throws when a person has to look at a typed price again: it is in another currency than the
 * offer, or it changes by 30 % or more and nobody has confirmed that. The first price of an offer
 * may be any.
 */
export function checkTypedPrice (before: Money | null, typed: Money, isConfirmed: boolean): void {
  if (before === null) return
  if (before.currency !== typed.currency) {
    const message = `the price is in ${typed.currency}, but that of the offer is in ${before.currency}`
    refuse([{ pointer: '/price/currency', code: 'currency', message }])
  }
  if (isConfirmed || !isLarge(before, typed)) return
  throw new PriceNotConfirmedError(`${before.amount} ${before.currency}`, `${typed.amount} ${typed.currency}`)
}

function isLarge (before: Money, typed: Money): boolean {
  const [old, next] = [minorUnitsOf(before), minorUnitsOf(typed)]
  const change = next > old ? next - old : old - next
  return change > 0n && change * largestShare.denominator >= old * largestShare.numerator
}

/** The amount without its point, as if every currency had two decimals. */
function minorUnitsOf ({ amount }: Money): bigint {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(2, '0').slice(0, 2))
}
