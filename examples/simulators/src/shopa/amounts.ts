/** Reads a decimal text as millionths. */
export function parseAmount (amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

/** Writes an amount as the shop does: `100.000000`. */
export function formatAmount (millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

export function toCents (millionths: bigint): bigint {
  return (millionths + 5_000n) / 10_000n * 10_000n
}
