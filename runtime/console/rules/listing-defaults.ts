/** The values that a person gives for all variants of a listing, as typed. */
export interface TypedDefaults {
  price: string
  /** One address on each line. */
  pictures: string
  isDraft: boolean
}

interface Defaults {
  price?: { amount: string, currency: string }
  publishImmediately?: boolean
  overrides?: { imageUrls: string[] }
}

const pricePattern = /^(\d{1,10}(?:[.,]\d{1,2})?)\s*([a-z]{3})$/i

/** The same as members of the request. A text that is empty leaves the value to the shop. */
export function defaultsOf ({ price, pictures, isDraft }: TypedDefaults): Defaults {
  const [, amount = '', currency = ''] = pricePattern.exec(price.trim()) ?? []
  const imageUrls = pictures.split(/\s+/).filter(address => address !== '')
  return {
    ...amount !== '' && { price: { amount: amount.replace(',', '.'), currency: currency.toUpperCase() } },
    ...isDraft && { publishImmediately: false },
    ...imageUrls.length > 0 && { overrides: { imageUrls } }
  }
}

/** Why the typed price is none. Undefined: it is one, or there is none. */
export function faultOfPrice (price: string): string | undefined {
  return price.trim() === '' || pricePattern.test(price.trim()) ? undefined : 'Give the price as 12.90 EUR.'
}
