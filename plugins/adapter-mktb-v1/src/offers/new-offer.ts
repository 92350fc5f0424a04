import type { NewOffer } from '@linker/sdk'
import type { OfferDefaults } from '../config.ts'
import { toMinorUnits, toStock, toUpstreamDescription } from './fields.ts'
import { publicImages } from './images.ts'
import { taxRateOf } from './tax-rate.ts'

/**
 * Builds the body that creates an offer without problems. It has exactly these members: the
 * marketplace refuses a member that it does not know.
 */
export function toUpstreamOffer (offer: NewOffer, { defaultDispatchTime, defaultTaxRate }: OfferDefaults) {
  return {
    name: offer.title,
    images: publicImages(offer.imageUrls).map(url => ({ url })),
    price: toMinorUnits(offer.price),
    stock: toStock(offer.quantity),
    dispatchTime: offer.dispatchTime ?? defaultDispatchTime,
    taxRate: taxRateOf(offer, defaultTaxRate),
    status: offer.publishImmediately ? 'active' : 'inactive',
    description: offer.description && toUpstreamDescription(offer.description),
    ean: offer.ean,
    sku: offer.sku,
    ...offer.variantGroup && toUpstreamGroup(offer.variantGroup)
  }
}

// The marketplace shows the offers of a group as one product. The buyer chooses each attribute that
// the group names by its index.
function toUpstreamGroup ({ id, options }: NonNullable<NewOffer['variantGroup']>) {
  return {
    externalAttributes: options.map(({ name, value }, index) => ({
      source: 'shop',
      id: name,
      name,
      type: 'string',
      values: [value],
      index
    })),
    externalVariantGroup: { id, source: 'integration', attributes: options.map((_option, index) => index) }
  }
}
