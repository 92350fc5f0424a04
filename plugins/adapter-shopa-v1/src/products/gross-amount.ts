import { text } from '../webservice/row.ts'

const digits = 9
/** One whole unit, in parts of 10⁻⁹. */
export const one = 10n ** BigInt(digits)

/**
 * Parses a decimal number, in any form that the shop writes, into parts of 10⁻⁹. Returns
 * `undefined` for an unknown number.
 */
export function parseDecimal (value: unknown): bigint | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?$/.exec(text(value) ?? '') ?? []
  if (whole === undefined) return undefined
  const parts = BigInt(whole + fraction.padEnd(digits, '0'))
  return sign === '-' ? -parts : parts
}

/**
 * Adds a tax in percent to the sum of net amounts and rounds once at the end. Counts in integers:
 * floats lose cents.
 */
export function grossAmount (netAmounts: readonly bigint[], percent: bigint, decimals: number): string {
  const net = netAmounts.reduce((sum, amount) => sum + amount, 0n)
  const gross = net * (100n * one + percent)
  const unit = 100n * one * 10n ** BigInt(digits - decimals)
  return formatAmount(divideHalfUp(gross, unit), decimals)
}

/**
 * Removes a tax in percent from a gross amount. Returns the six decimals that the shop stores.
 * `gross` may be the amount of several units.
 */
export function netAmount (gross: bigint, percent: bigint, units = 1n): string {
  return formatAmount(divideHalfUp(gross * 100n * one * 1_000_000n, (100n * one + percent) * units * one), 6)
}

// Rounds a half away from zero, as the shop does.
export function divideHalfUp (value: bigint, unit: bigint): bigint {
  const half = unit / 2n
  return (value < 0n ? value - half : value + half) / unit
}

/** Writes a percentage without zeros at its end. */
export function formatPercent (percent: bigint): string {
  return formatAmount(percent, digits).replace(/\.?0+$/, '')
}

/** Writes a number of the currency's smallest units as a decimal. */
export function formatAmount (value: bigint, decimals: number): string {
  const absolute = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const amount = decimals === 0 ? absolute : `${absolute.slice(0, -decimals)}.${absolute.slice(-decimals)}`
  return value < 0n ? `-${amount}` : amount
}
