import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** An amount as the marketplace writes it; other members may stand beside. */
export const UpstreamMoney = Type.Object({ amount: Money.properties.amount, currency: Money.properties.currency })
type UpstreamMoney = Static<typeof UpstreamMoney>

export function toMoney ({ amount, currency }: UpstreamMoney): Money {
  return { amount, currency }
}
