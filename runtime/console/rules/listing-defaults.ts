import { parsePrice } from './typed-price.ts'

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

/** The same as members of the request. A text that is empty leaves the value to the shop. */
export function defaultsOf ({ price, pictures, isDraft }: TypedDefaults): Defaults {
  const found = parsePrice(price)
  const imageUrls = pictures.split(/\s+/).filter(address => address !== '')
  return {
    ...found !== undefined && { price: found },
    ...isDraft && { publishImmediately: false },
    ...imageUrls.length > 0 && { overrides: { imageUrls } }
  }
}
