import { text } from './records.ts'

const digits = 9
/** A whole unit. */
export const one = 10n ** BigInt(digits)

/**
 * Parts per 10⁹ of a decimal number, in any of the forms the shop writes; `undefined` when it is
 * not known.
 */
export function parseDecimal (value: unknown): bigint | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?$/.exec(text(value) ?? '') ?? []
  if (whole === undefined) return undefined
  const parts = BigInt(whole + fraction.padEnd(digits, '0'))
  return sign === '-' ? -parts : parts
}

/**
 * The sum of net amounts with a tax in percent on it, rounded once at the end. Integers only:
 * floats lose cents.
 */
export function grossAmount (netAmounts: readonly bigint[], percent: bigint, decimals: number): string {
  const net = netAmounts.reduce((sum, amount) => sum + amount, 0n)
  const gross = net * (100n * one + percent)
  const unit = 100n * one * 10n ** BigInt(digits - decimals)
  return formatAmount(divideHalfUp(gross, unit), decimals)
}

/**
 * What is left of a gross amount without a tax in percent, with the six decimals that the shop
 * stores. `gross` may be that of several units.
 */
export function netAmount (gross: bigint, percent: bigint, units = 1n): string {
  return formatAmount(divideHalfUp(gross * 100n * one * 1_000_000n, (100n * one + percent) * units * one), 6)
}

// A half goes away from zero, as in the shop.
export function divideHalfUp (value: bigint, unit: bigint): bigint {
  const half = unit / 2n
  return (value < 0n ? value - half : value + half) / unit
}

/** A number of the smallest pieces as a decimal. */
export function formatAmount (value: bigint, decimals: number): string {
  const absolute = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const amount = decimals === 0 ? absolute : `${absolute.slice(0, -decimals)}.${absolute.slice(-decimals)}`
  return value < 0n ? `-${amount}` : amount
}
