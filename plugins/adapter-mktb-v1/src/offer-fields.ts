import { RejectedError, type FieldError, type Money, type OfferPatch } from '@linker/sdk'

const largestPrice = 2_147_483_647
const largestStock = 2_000_000_000
const shortestName = 3
const longestName = 150

/** Members of the marketplace's product that a hub's offer sets. */
export interface UpstreamFields { price?: number, name?: string, stock?: number, description?: OfferPatch['description'] }

/** The sparse body for a change: only the members present are in it. */
export function toUpstream (patch: OfferPatch): UpstreamFields {
  return {
    ...(patch.price === undefined ? {} : { price: toMinorUnits(patch.price) }),
    ...(patch.title === undefined ? {} : { name: checkedName(patch.title) }),
    ...(patch.description === undefined ? {} : { description: patch.description })
  }
}

/** The hub's name of a field of the marketplace. They differ in one: what the hub calls title is the marketplace's name. */
export function hubName (upstreamName: string): string {
  return upstreamName === 'name' ? 'title' : upstreamName
}

/** The price in grosze, by moving digits: as a float, 19.99 times 100 is 1998.9999999999998. */
export function toMinorUnits ({ amount, currency }: Money): number {
  if (currency !== 'PLN') throw refused('/price/currency', `the marketplace sells in PLN only, not in ${currency}`)
  const [whole = '', fraction = ''] = amount.split('.')
  if (/[^0]/.test(fraction.slice(2))) throw refused('/price/amount', `'${amount}' is finer than one grosz`)
  const minorUnits = Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`)
  if (!(minorUnits >= 0 && minorUnits <= largestPrice)) throw refused('/price/amount', `'${amount}' is outside 0 to 21474836.47`)
  return minorUnits
}

export function toMoney (minorUnits: number): Money {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0')
  return { amount: `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency: 'PLN' }
}

export function checkedName (title: string): string {
  if (title.length < shortestName || title.length > longestName) {
    throw refused('/title', `a title has ${shortestName} to ${longestName} characters on the marketplace, this one has ${title.length}`)
  }
  return title
}

/** The stock that is sent for a quantity. A shop's backorders are negative; on the marketplace they are sold out. */
export function toStock (quantity: number): number {
  if (!Number.isSafeInteger(quantity) || quantity > largestStock) {
    throw refused('/quantity', `${quantity} is no quantity: a whole number up to ${largestStock} is expected`)
  }
  return Math.max(0, quantity)
}

export function refused (pointer: string, message: string): RejectedError {
  const field: FieldError = { pointer, code: 'invalid', message }
  return new RejectedError(message, { fields: [field] })
}
