import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** An amount as the marketplace writes it; other members may stand beside. */
export const UpstreamMoney = Type.Object({ amount: Money.properties.amount, currency: Money.properties.currency })
type UpstreamMoney = Static<typeof UpstreamMoney>

/** Digits after the decimal point, as in the hub's own amounts. */
const digits = 6

export function toMoney ({ amount, currency }: UpstreamMoney): Money {
  return { amount, currency }
}

/**
 * Subtracts the lines from `total`, down to zero at least. Counts in whole numbers: as floats, 0.1
 * and 0.2 are not 0.3.
 */
export function withoutLines (
  total: UpstreamMoney,
  lines: readonly { price: UpstreamMoney, quantity: number }[]
): Money {
  const rest = lines.reduce(
    (units, { price, quantity }) => units - toUnits(price.amount) * BigInt(quantity),
    toUnits(total.amount)
  )
  return { amount: fromUnits(rest < 0n ? 0n : rest), currency: total.currency }
}

function toUnits (amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)
}

function fromUnits (units: bigint): string {
  const text = String(units).padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0{1,4}$/, '')
  return `${text.slice(0, -digits)}.${fraction}`
}
