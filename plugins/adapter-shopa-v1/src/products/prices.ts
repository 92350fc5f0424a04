import { ConfigurationError, type Money } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { reference, text, type Row } from '../webservice/row.ts'
import { formatPercent, grossAmount, parseDecimal } from './gross-amount.ts'
import { createTaxes } from './taxes.ts'

export interface PricesAndTaxes {
  price: ReadPrice
  /** Returns the tax in percent that the price of a product includes; `undefined` when unknown. */
  taxRate(product: Row): string | undefined
}

/** Returns the gross price of a product or a combination; `undefined` when it is unknown. */
export type ReadPrice = (product: Row, combination?: Row) => Money | undefined

/**
 * Returns the function that prepares the prices and tax rates of some products with one look at the
 * taxes for all of them. Without `config.prices` none is known.
 */
export function createPrices (
  client: ShopClient,
  { config, clock, log }: ShopContext
): (products: readonly Row[]) => Promise<PricesAndTaxes> {
  if (config.prices === undefined) return async () => ({ price: () => undefined, taxRate: () => undefined })
  const { country, currency } = config.prices
  const taxes = createTaxes(client, { now: () => clock.now(), log })
  let known: Promise<string> | undefined

  /** Reads the id of the country until one call succeeds, and then remembers it. */
  function countryId (): Promise<string> {
    known ??= readCountryId(client, country).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return async products => {
    const decimals = decimalsOf(currency)
    const percents = await taxes.readPercents(products.map(taxGroup), async () => ({ countryId: await countryId() }))
    const withoutRate = products.filter(product => !percents.has(taxGroup(product)))
    if (withoutRate.length > 0) {
      log.warn({
        products: withoutRate.map(product => reference(product.id)),
        taxRulesGroups: [...new Set(withoutRate.map(taxGroup))]
      }, 'tax rates unknown, prices left out')
    }

    const price: ReadPrice = (product, combination) => {
      const percent = percents.get(taxGroup(product))
      // The shop stores the price of a combination as an amount to add to the product's own.
      const rows = combination === undefined ? [product] : [product, combination]
      const amounts = rows.map(row => parseDecimal(row.price))
      if (percent === undefined || !amounts.every(amount => amount !== undefined)) return undefined
      return { amount: grossAmount(amounts, percent, decimals), currency }
    }

    return {
      price,
      taxRate (product) {
        const percent = percents.get(taxGroup(product))
        return percent === undefined ? undefined : formatPercent(percent)
      }
    }
  }
}

function taxGroup (product: Row): string {
  return reference(product.id_tax_rules_group)
}

async function readCountryId (client: ShopClient, country: string): Promise<string> {
  const rows = await client.list('countries', { 'filter[iso_code]': `[${country}]`, display: '[id,iso_code]' })
  const row = rows.find(row => text(row.iso_code)?.toUpperCase() === country)
  if (row === undefined) throw new ConfigurationError(`the shop has no country ${country} (config.prices.country)`)
  return reference(row.id)
}

/** Returns the number of decimals of the currency's amounts. */
export function decimalsOf (currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
