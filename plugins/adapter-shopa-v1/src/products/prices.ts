import { ConfigurationError, type Money } from '@linker/sdk'
import type { ListQuery, ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { reference, text, type Row } from '../webservice/row.ts'
import { divideHalfUp, formatAmount, formatPercent, grossAmount, one, parseDecimal } from './gross-amount.ts'
import { createTaxes } from './taxes.ts'

export interface PricesAndTaxes {
  prices: ReadPrices
  /** Returns the tax in percent that the price of a product includes; `undefined` when unknown. */
  taxRate(product: Row): string | undefined
}

/** Gross prices. A member is missing when the price is unknown, or there is no promotion. */
export interface ReadPrice {
  /** The price today, with promotions. */
  price?: Money
  /** The price without the promotion of today. */
  regularPrice?: Money
}

/** Returns the gross prices of a product or a combination. */
export type ReadPrices = (product: Row, combination?: Row) => ReadPrice

export interface Prices {
  /**
   * Returns what the requests for products and combinations must ask for: the shop computes the
   * price that it sells at, with all its promotions, and no request is added.
   */
  query(): Promise<ListQuery>
  /** Prepares the prices and tax rates of some products with one look at the taxes of them all. */
  prepare(products: readonly Row[]): Promise<PricesAndTaxes>
}

/** The member that the shop adds to its answer. */
const computed = 'selling'

/** Without `config.prices` no price is known. */
export function createPrices (client: ShopClient, { config, clock, log }: ShopContext): Prices {
  if (config.prices === undefined) {
    return {
      query: async () => ({}),
      prepare: async () => ({ prices: () => ({}), taxRate: () => undefined })
    }
  }
  const { country, currency } = config.prices
  const decimals = decimalsOf(currency)
  const findCountry = createCountry(client, country)
  const taxes = createTaxes(client, { now: () => clock.now(), log })

  /** Rounds a computed price, which may come as a float. */
  function sellingPrice (row: Row): Money | undefined {
    const amount = parseDecimal(row[computed])
    if (amount === undefined) return undefined
    return { amount: formatAmount(divideHalfUp(amount, one / 10n ** BigInt(decimals)), decimals), currency }
  }

  async function prepare (products: readonly Row[]): Promise<PricesAndTaxes> {
    const percents = await taxes.readPercents(products.map(taxGroup), async () => ({ countryId: await findCountry() }))
    const withoutRate = products.filter(product => !percents.has(taxGroup(product)))
    if (withoutRate.length > 0) {
      log.warn({
        products: withoutRate.map(product => reference(product.id)),
        taxRulesGroups: [...new Set(withoutRate.map(taxGroup))]
      }, 'tax rates unknown, prices left out')
    }

    const prices: ReadPrices = (product, combination) => {
      const percent = percents.get(taxGroup(product))
      // The shop stores the price of a combination as an amount to add to the product's own.
      const rows = combination === undefined ? [product] : [product, combination]
      const amounts = rows.map(row => parseDecimal(row.price))
      if (percent === undefined || !amounts.every(amount => amount !== undefined)) return {}
      const catalog = { amount: grossAmount(amounts, percent, decimals), currency }
      // A shop that computes nothing sells at the price of its catalog, as far as the hub can see.
      const price = sellingPrice(combination ?? product) ?? catalog
      return isLess(price, catalog) ? { price, regularPrice: catalog } : { price }
    }

    return {
      prices,
      taxRate (product) {
        const percent = percents.get(taxGroup(product))
        return percent === undefined ? undefined : formatPercent(percent)
      }
    }
  }

  return {
    prepare,
    async query () {
      const keys = { use_tax: 1, country: await findCountry(), decimals }
      return Object.fromEntries(Object.entries(keys).map(([key, value]) => [`price[${computed}][${key}]`, value]))
    }
  }
}

function isLess (left: Money, right: Money): boolean {
  return (parseDecimal(left.amount) ?? 0n) < (parseDecimal(right.amount) ?? 0n)
}

function taxGroup (product: Row): string {
  return reference(product.id_tax_rules_group)
}

/** Asks for the country's id until the shop has told it once. */
function createCountry (client: ShopClient, country: string): () => Promise<string> {
  let known: string | undefined
  // Do not keep the promise: a call that is aborted would end the others that wait for it.
  return async () => {
    known ??= await readCountryId(client, country)
    return known
  }
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
