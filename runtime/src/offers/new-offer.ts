import { isPublicImageUrl, type FieldError, type Money, type NewOffer, type VariantOption } from '@linker/sdk'
import type { Listing } from './listing-schemas.ts'

/** What the hub knows of a variant that is to be listed. */
export interface ListedVariant {
  variantId: string
  productId: string
  /** Whether the product has others. */
  hasSiblings: boolean
  productName: string | null
  variantName: string | null
  description: string | null
  productImages: readonly string[]
  variantImages: readonly string[]
  price: Money | null
  options: readonly VariantOption[]
  sku: string | null
  ean: string | null
  /** What the offer would show of the master's stock; null when that is not known. */
  quantity: number | null
}

/**
 * An offer in the making. `problems`: what it lacks and what is wrong in the request, with pointers
 * into its listing.
 */
export interface OfferDraft {
  offer: NewOffer
  problems: FieldError[]
}

/**
 * The offer that a variant becomes. Where something is missing or wrong it has a stand-in, so that
 * the adapter can judge all the rest at once: what it says of a stand-in does not count.
 */
export function draftOffer (variant: ListedVariant, listing: Listing): OfferDraft {
  const { overrides = {} } = listing
  const shopImages = [...variant.variantImages, ...variant.productImages]
  const hasOptions = variant.hasSiblings && variant.options.length > 0
  const title = overrides.title ?? titleOf(variant)
  const price = listing.price ?? variant.price
  const quantity = listing.stock ?? variant.quantity
  const description = overrides.description ?? descriptionOf(variant.description)
  const offer = {
    externalId: variant.variantId,
    title: title ?? variant.variantId,
    price: price ?? { amount: '1.00', currency: 'EUR' },
    quantity: quantity ?? 0,
    imageUrls: [...new Set(overrides.imageUrls?.filter(isPublicImageUrl) ?? shopImages)],
    publishImmediately: listing.publishImmediately ?? true,
    ...(description === undefined ? {} : { description }),
    ...(variant.sku === null ? {} : { sku: variant.sku }),
    ...(variant.ean === null ? {} : { ean: variant.ean }),
    ...(overrides.dispatchTime === undefined ? {} : { dispatchTime: overrides.dispatchTime }),
    ...(hasOptions ? { variantGroup: { id: variant.productId, options: [...variant.options] } } : {})
  }
  const problems = [
    ...imageProblems(overrides.imageUrls ?? []),
    ...title === undefined ? [missing('/overrides/title', 'the shop has not said what the product is called')] : [],
    ...price === null ? [missing('/price', 'the shop has not said what the variant costs')] : [],
    ...quantity === null ? [missing('/stock', 'the stock of the variant is not known')] : []
  ]
  return { offer, problems }
}

/**
 * Where the request says what an adapter finds fault with in an offer. Undefined: nowhere, it is
 * the variant's own.
 */
export function toListingPointer (pointer: string, { overrides = {} }: Listing): string | undefined {
  const [, member = '', ...rest] = pointer.split('/')
  const tail = rest.map(part => `/${part}`).join('')
  switch (member) {
    case '':
      return ''
    case 'quantity':
      return `/stock${tail}`
    case 'price':
    case 'publishImmediately':
      return `/${member}${tail}`
    case 'title':
    case 'description':
    case 'dispatchTime':
      return `/overrides/${member}${tail}`
    case 'imageUrls':
      return `/overrides/imageUrls${imageIndex(overrides.imageUrls ?? [], rest[0])}`
    default:
      return undefined
  }
}

/**
 * The end of a pointer to an image of the offer, which has each once, among those that the request
 * names. Nothing when it names none.
 */
function imageIndex (named: readonly string[], position: string | undefined): string {
  const image = [...new Set(named.filter(isPublicImageUrl))][Number(position)]
  return image === undefined ? '' : `/${named.indexOf(image)}`
}

/** What a shop calls a variant often says the product's name again. */
function titleOf ({ productName, variantName, hasSiblings }: ListedVariant): string | undefined {
  if (productName === null || productName === '') return variantName ?? undefined
  if (!hasSiblings || variantName === null || variantName === '') return productName
  return variantName.startsWith(productName) ? variantName : `${productName} ${variantName}`
}

function descriptionOf (html: string | null): NewOffer['description'] {
  return html === null || html.trim() === '' ? undefined : { sections: [{ items: [{ type: 'TEXT', content: html }] }] }
}

/**
 * Whoever names images means each of them: none is left out in silence. The text is of the
 * specification, section 7.3.
 */
function imageProblems (imageUrls: readonly string[]): FieldError[] {
  return imageUrls.flatMap((address, index) =>
    isPublicImageUrl(address) ? [] : [
      {
        pointer: `/overrides/imageUrls/${index}`,
        code: 'invalid',
        message: 'overrides.imageUrls must be an array of valid URLs'
      }
    ]
  )
}

function missing (pointer: string, message: string): FieldError {
  return { pointer, code: 'required', message: `is required: ${message}` }
}
