import { isPublicImageUrl, type FieldError, type Money, type NewOffer, type VariantOption } from '@linker/sdk'
import type { Listing } from './schemas.ts'

/** A variant to list, as the hub knows it. */
export interface ListedVariant {
  variantId: string
  productId: string
  /** Whether the product has other variants. */
  hasSiblings: boolean
  productName: string | null
  variantName: string | null
  description: string | null
  productImages: readonly string[]
  variantImages: readonly string[]
  price: Money | null
  /** The tax that the shop's price includes. */
  taxRate: string | null
  options: readonly VariantOption[]
  sku: string | null
  ean: string | null
  /** False: the shop has switched the variant off, so the hub sells none of it. */
  isOnSale: boolean
  /** The part of the master's stock that the offer would show; null when the stock is unknown. */
  quantity: number | null
}

/** A draft of an offer. `problems`: missing and wrong members, with pointers into its listing. */
export interface OfferDraft {
  offer: NewOffer
  problems: FieldError[]
}

/**
 * Drafts the offer of a variant. A stand-in takes the place of a missing or wrong member, so that
 * the adapter can check all other members at once. Its answer on a stand-in does not count.
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
    taxRate: variant.taxRate ?? undefined,
    quantity: quantity ?? 0,
    imageUrls: [...new Set(overrides.imageUrls?.filter(isPublicImageUrl) ?? shopImages)],
    publishImmediately: listing.publishImmediately ?? true,
    description,
    sku: variant.sku ?? undefined,
    ean: variant.ean ?? undefined,
    dispatchTime: overrides.dispatchTime,
    variantGroup: hasOptions ? { id: variant.productId, options: [...variant.options] } : undefined
  }
  const problems = [
    ...imageProblems(overrides.imageUrls ?? [], '/overrides/imageUrls'),
    ...title === undefined ? [missing('/overrides/title', 'the shop gave no name for the product')] : [],
    ...price === null ? [missing('/price', 'the shop gave no price for the variant')] : [],
    ...quantity === null ? [missing('/stock', 'the stock of the variant is not known')] : [],
    ...!variant.isOnSale && (listing.stock ?? 0) > 0 ? [switchedOff] : []
  ]
  return { offer, problems }
}

/**
 * Translates a pointer into an offer to a pointer into the listing of the request. Undefined: the
 * request does not name this member, it comes from the variant.
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
 * Returns the end of the pointer to an image in the request, which may name an image twice; the
 * offer has each image once. Empty when the request does not name the image.
 */
function imageIndex (named: readonly string[], position: string | undefined): string {
  const image = [...new Set(named.filter(isPublicImageUrl))][Number(position)]
  return image === undefined ? '' : `/${named.indexOf(image)}`
}

/** The shop's name of a variant often begins with the product's name; do not say it twice. */
function titleOf ({ productName, variantName, hasSiblings }: ListedVariant): string | undefined {
  if (productName === null || productName === '') {
    return variantName === null || variantName === '' ? undefined : variantName
  }
  if (!hasSiblings || variantName === null || variantName === '') return productName
  return variantName.startsWith(productName) ? variantName : `${productName} ${variantName}`
}

function descriptionOf (html: string | null): NewOffer['description'] {
  return html === null || html.trim() === '' ? undefined : { sections: [{ items: [{ type: 'TEXT', content: html }] }] }
}

/**
 * Returns the problems of images that are no array of texts, in the body of a request that the
 * schema has not checked yet: the schema would tell them in words of its own.
 */
export function misshapenImages (body: unknown): FieldError[] {
  const items = memberOf(body, 'items')
  const listings = [
    ['', body],
    ['/defaults', memberOf(body, 'defaults')],
    ...Array.isArray(items) ? items.map((item: unknown, index) => [`/items/${index}`, item] as const) : []
  ] as const
  return listings.flatMap(([pointer, listing]) => {
    const imageUrls = memberOf(memberOf(listing, 'overrides'), 'imageUrls')
    const isShaped = Array.isArray(imageUrls) && imageUrls.every(address => typeof address === 'string')
    return imageUrls === undefined || isShaped ? [] : imageProblems(imageUrls, `${pointer}/overrides/imageUrls`)
  })
}

function memberOf (value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/**
 * Refuses each wrong image that the request names, instead of leaving it out in silence. The text
 * is from the specification, section 7.3.
 */
function imageProblems (imageUrls: unknown, pointer: string): FieldError[] {
  const wrong = { code: 'invalid', message: 'overrides.imageUrls must be an array of valid URLs' }
  if (!Array.isArray(imageUrls)) return [{ pointer, ...wrong }]
  return imageUrls.flatMap((address: unknown, index) =>
    typeof address === 'string' && isPublicImageUrl(address) ? [] : [{ pointer: `${pointer}/${index}`, ...wrong }]
  )
}

const switchedOff: FieldError = {
  pointer: '/stock',
  code: 'switched-off',
  message: 'the variant is switched off in the shop: choose 0, or leave the quantity out'
}

function missing (pointer: string, message: string): FieldError {
  return { pointer, code: 'required', message: `is required: ${message}` }
}
