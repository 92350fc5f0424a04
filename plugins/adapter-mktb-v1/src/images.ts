import { isPublicImageUrl } from '@linker/sdk'

const mostImages = 200
const longestUrl = 2_000

/**
 * Those of the images that the marketplace can download. The shop's may be others; what a caller
 * names is checked by the hub.
 */
export function publicImages (addresses: readonly string[]): string[] {
  return addresses.filter(address => address.length <= longestUrl && isPublicImageUrl(address)).slice(0, mostImages)
}
