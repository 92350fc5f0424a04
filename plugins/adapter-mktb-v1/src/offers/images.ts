import { isPublicImageUrl } from '@linker/sdk'

const mostImages = 200
const longestUrl = 2_000

/**
 * Returns the images that the marketplace can download. Images of the shop may not be public; the
 * hub itself checks the images that a caller names.
 */
export function publicImages (addresses: readonly string[]): string[] {
  const usable = addresses.filter(address => address.length <= longestUrl && isPublicImageUrl(address))
  return usable.slice(0, mostImages)
}
