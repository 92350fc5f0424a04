import type { NewOffer } from '@linker/sdk'
import type { TaxRateCode } from '../config.ts'

const codes: ReadonlyMap<number, TaxRateCode> = new Map([
  [0, 'TAX_0'],
  [5, 'TAX_5'],
  [7, 'TAX_7'],
  [8, 'TAX_8'],
  [19, 'TAX_19'],
  [23, 'TAX_23']
])
/** Three reasons for a tax of 0 %. A shop only has the number. */
const untaxed: readonly (TaxRateCode | undefined)[] = ['TAX_0', 'TAX_ZW', 'TAX_NP']

/**
 * Returns the marketplace's word for the tax of a new offer. Undefined: neither the shop nor the
 * config says a rate, or the marketplace does not know it.
 */
export function taxRateOf (
  { taxRate }: Pick<NewOffer, 'taxRate'>,
  defaultTaxRate: TaxRateCode | undefined
): TaxRateCode | undefined {
  if (taxRate === undefined) return defaultTaxRate
  const percent = Number(taxRate)
  return percent === 0 && untaxed.includes(defaultTaxRate) ? defaultTaxRate : codes.get(percent)
}
