import { ConfigurationError, type NewOffer } from '@linker/sdk'
import { isIP } from 'node:net'
import type { Config } from './config.ts'
import { checkedName, refused, toMinorUnits, toStock } from './offer-fields.ts'

const mostImages = 200
const longestUrl = 2_000

/** The body that creates an offer. Exactly these members: the marketplace refuses one that it does not know. */
export function toUpstreamOffer (offer: NewOffer, dispatchTime: Config['defaultDispatchTime']) {
  if (dispatchTime === undefined) throw new ConfigurationError('config.defaultDispatchTime is not set: the marketplace wants a handling time in every offer')
  const images = offer.imageUrls.filter(isPublicHttps).slice(0, mostImages).map(url => ({ url }))
  if (images.length === 0) throw refused('/imageUrls', 'overrides.imageUrls must be an array of valid URLs')

  return {
    name: checkedName(offer.title),
    images,
    price: toMinorUnits(offer.price),
    stock: toStock(offer.quantity),
    dispatchTime,
    status: offer.publishImmediately ? 'active' : 'inactive',
    ...(offer.description === undefined ? {} : { description: offer.description }),
    ...(offer.ean === undefined ? {} : { ean: offer.ean }),
    ...(offer.sku === undefined ? {} : { sku: offer.sku })
  }
}

// The marketplace downloads the images itself, later: one that it cannot reach fails there, where nobody sees it.
function isPublicHttps (address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:' || address.length > longestUrl) return false
  const host = url.hostname
  return host.includes('.') && !host.startsWith('[') && isIP(host) === 0 && !/\.(localhost|local|internal)\.?$/.test(host)
}
