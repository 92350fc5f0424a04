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

/** The offer that a variant becomes, or what is missing for it; pointers are into the request's listing. */
export function toNewOffer (variant: ListedVariant, listing: Listing): { offer: NewOffer } | { problems: FieldError[] } {
  const { overrides = {} } = listing
  const title = overrides.title ?? titleOf(variant)
  const price = listing.price ?? variant.price ?? undefined
  const quantity = listing.stock ?? variant.quantity ?? undefined
  const images = imageProblems(overrides.imageUrls ?? [])
  if (images.length > 0 || title === undefined || price === undefined || quantity === undefined) {
    return {
      problems: [
        ...images,
        ...title === undefined ? [missing('/overrides/title', 'the shop has not said what the product is called')] : [],
        ...price === undefined ? [missing('/price', 'the shop has not said what the variant costs')] : [],
        ...quantity === undefined ? [missing('/stock', 'the stock of the variant is not known')] : []
      ]
    }
  }
  const description = overrides.description ?? descriptionOf(variant.description)
  return {
    offer: {
      externalId: variant.variantId,
      title,
      price,
      quantity,
      imageUrls: [...new Set(overrides.imageUrls ?? [...variant.variantImages, ...variant.productImages])],
      publishImmediately: listing.publishImmediately ?? true,
      ...(description === undefined ? {} : { description }),
      ...(variant.sku === null ? {} : { sku: variant.sku }),
      ...(variant.ean === null ? {} : { ean: variant.ean }),
      ...(overrides.dispatchTime === undefined ? {} : { dispatchTime: overrides.dispatchTime }),
      ...(variant.hasSiblings && variant.options.length > 0 ? { variantGroup: { id: variant.productId, options: [...variant.options] } } : {})
    }
  }
}

/** A pointer into an offer, as the adapter gave it, as one into the request that asked for it. */
export function toListingPointer (pointer: string): string {
  const [, member = '', ...rest] = pointer.split('/')
  const tail = rest.map(part => `/${part}`).join('')
  if (pointer === '') return ''
  if (member === 'quantity') return `/stock${tail}`
  return overridden.has(member) ? `/overrides/${member}${tail}` : `/${member}${tail}`
}

const overridden: ReadonlySet<string> = new Set(['title', 'description', 'imageUrls', 'dispatchTime'])

/** What a shop calls a variant often says the product's name again. */
function titleOf ({ productName, variantName, hasSiblings }: ListedVariant): string | undefined {
  if (productName === null || productName === '') return variantName ?? undefined
  if (!hasSiblings || variantName === null || variantName === '') return productName
  return variantName.startsWith(productName) ? variantName : `${productName} ${variantName}`
}

function descriptionOf (html: string | null): NewOffer['description'] {
  return html === null || html.trim() === '' ? undefined : { sections: [{ items: [{ type: 'TEXT', content: html }] }] }
}

/** Whoever names images means each of them: none is left out in silence. The text is of the specification, section 7.3. */
function imageProblems (imageUrls: readonly string[]): FieldError[] {
  return imageUrls.flatMap((address, index) => isPublicImageUrl(address) ? [] : [
    { pointer: `/overrides/imageUrls/${index}`, code: 'invalid', message: 'overrides.imageUrls must be an array of valid URLs' }
  ])
}

function missing (pointer: string, message: string): FieldError {
  return { pointer, code: 'required', message: `is required: ${message}` }
}
