import { RejectedError } from './errors.ts'
import type { Money } from './schemas/values.ts'

/** Digits after the dot that an amount may have. */
const digits = 6

/**
 * Adds amounts exactly. Subtract with `multiplyMoney(money, -1)`. Throws a `RejectedError` that
 * names both currencies when they differ: the job that reads such an order ends with it.
 */
export function addMoney (first: Money, ...others: readonly Money[]): Money {
  const { currency } = first
  const stranger = others.find(other => other.currency !== currency)
  if (stranger !== undefined) {
    throw new RejectedError(`an amount in ${stranger.currency} cannot be added to ${currency}`)
  }
  // As floats, 0.1 and 0.2 are not 0.3.
  const sum = others.reduce((units, { amount }) => units + toUnits(amount), toUnits(first.amount))
  return { amount: fromUnits(sum), currency }
}

/** Multiplies an amount by a whole number, such as the price of one piece by a quantity. */
export function multiplyMoney ({ amount, currency }: Money, factor: number): Money {
  return { amount: fromUnits(toUnits(amount) * BigInt(factor)), currency }
}

function toUnits (amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  return BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)
}

function fromUnits (units: bigint): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0{1,4}$/, '')
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}.${fraction}`
}
