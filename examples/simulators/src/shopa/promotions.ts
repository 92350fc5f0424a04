import { formatAmount, parseAmount } from './amounts.ts'
import type { Row } from './product-rows.ts'
import type { State } from './state.ts'
import { percentOf, type TaxAddress } from './taxes.ts'

/** A promotion of the shop. Amounts are decimals, times the shop's own. */
export interface Promotion {
  productId: number
  /** Absent: all combinations of the product. */
  combinationId?: number
  /** `0.2` takes off a fifth. */
  percentage?: string
  /** A gross amount that is taken off. */
  amount?: string
  /** The net price in place of that of the catalog. */
  price?: string
  /** Default 1. */
  fromQuantity?: number
  from?: string
  to?: string
}

/** The keys of a computed price. By default it is for one piece, with tax and promotions. */
export interface PriceQuestion {
  address: TaxAddress
  quantity?: number
  useTax?: boolean
  useReduction?: boolean
}

const always = '0000-00-00 00:00:00'
// A tax is in millionths of a percent.
const hundred = 100_000_000n

/** Returns the row of a promotion: one without a cart. */
export function promotionFields ({ productId, combinationId = 0, ...promotion }: Promotion): Row['fields'] {
  const { percentage, amount, price = '-1.000000', fromQuantity = 1, from = always, to = always } = promotion
  return {
    id_shop_group: '0',
    id_shop: '0',
    id_cart: '0',
    id_product: String(productId),
    id_product_attribute: String(combinationId),
    id_currency: '0',
    id_country: '0',
    id_group: '0',
    id_customer: '0',
    id_specific_price_rule: '0',
    price,
    from_quantity: String(fromQuantity),
    reduction: percentage ?? amount ?? '0.000000',
    reduction_tax: '1',
    reduction_type: percentage === undefined ? 'amount' : 'percentage',
    from,
    to
  }
}

/** Returns the price that the shop sells at, in millionths. `now` is local time. */
export function sellingPrice (
  state: State,
  { productId, combinationId }: { productId: number, combinationId: number },
  { address, quantity = 1, useTax = true, useReduction = true }: PriceQuestion,
  now: string
): bigint {
  const { fields } = state.row('products', productId)
  const promotion = promotionFor(state, { productId, combinationId, quantity }, now)
  const percent = percentOf(state, String(fields.id_tax_rules_group), address)
  const fixed = promotion === undefined ? -1n : parseAmount(String(promotion.price))
  const impact = combinationId === 0 ? 0n : parseAmount(String(state.row('combinations', combinationId).fields.price))
  const hasOwnPrice = fixed >= 0n && promotion?.id_product_attribute !== '0'
  const net = (fixed >= 0n ? fixed : parseAmount(String(fields.price))) + (hasOwnPrice ? 0n : impact)
  const gross = net * (hundred + percent) / hundred
  const price = useTax ? gross : net
  if (promotion === undefined || !useReduction) return price
  const reduction = parseAmount(String(promotion.reduction))
  if (promotion.reduction_type === 'percentage') return price - price * reduction / 1_000_000n
  // The amount is gross, unless `reduction_tax` is 0.
  const isGross = promotion.reduction_tax !== '0'
  if (isGross === useTax) return price - reduction
  return price - (useTax ? reduction * (hundred + percent) / hundred : reduction * hundred / (hundred + percent))
}

function promotionFor (
  { tables }: State,
  { productId, combinationId, quantity }: { productId: number, combinationId: number, quantity: number },
  now: string
): Row['fields'] | undefined {
  const isFor = ({ fields }: Row): boolean =>
    ['0', String(productId)].includes(String(fields.id_product)) &&
    ['0', '', String(combinationId)].includes(String(fields.id_product_attribute)) &&
    Number(fields.from_quantity) <= quantity && isInForce(fields, now)
  // A promotion of the combination comes first. Then the one for more pieces comes first.
  const rank = ({ fields }: Row): number =>
    (Number(fields.id_product_attribute) > 0 ? 1_000_000 : 0) + Number(fields.from_quantity)
  const [best] = tables.specific_prices.where('id_cart', [0]).filter(isFor).toSorted((a, b) => rank(b) - rank(a))
  return best?.fields
}

function isInForce ({ from, to }: Row['fields'], now: string): boolean {
  return String(from) <= now && (String(to).startsWith('0000') || String(to) > now)
}

/** Reads `price[my][country]=14` and its like: the questions by the name of the member they add. */
export function parsePrices (query: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const questions = new Map<string, Map<string, string>>()
  for (const [parameter, value] of query) {
    const [, name, key] = /^price\[(\w+)\](?:\[(\w+)\])?$/.exec(parameter) ?? []
    if (name === undefined) continue
    questions.set(name, (questions.get(name) ?? new Map()).set(key ?? '', value))
  }
  return questions
}

/** Returns the computed prices of a product or a combination by the names of their members. */
export function computedPrices (
  state: State,
  resource: 'products' | 'combinations',
  row: Row,
  questions: ReadonlyMap<string, ReadonlyMap<string, string>>,
  now: string
): Record<string, string> {
  return Object.fromEntries(Array.from(questions, ([name, keys]) => {
    const combinationId = resource === 'combinations' ? row.id : Number(keys.get('product_attribute') ?? 0)
    const productId = resource === 'combinations' ? Number(row.fields.id_product) : row.id
    const price = sellingPrice(state, { productId, combinationId }, {
      address: { countryId: keys.get('country') ?? '0', stateId: keys.get('state') ?? '0', postcode: '0' },
      quantity: Number(keys.get('quantity') ?? 1),
      useTax: keys.get('use_tax') !== '0',
      useReduction: keys.get('use_reduction') !== '0'
    }, now)
    return [name, rounded(price, Number(keys.get('decimals') ?? 6))]
  }))
}

function rounded (price: bigint, decimals: number): string {
  const unit = 10n ** BigInt(6 - Math.min(6, decimals))
  return formatAmount((price + unit / 2n) / unit * unit)
}
