import { isIP } from 'node:net'

/**
 * Whether a platform can be expected to download an image from an address: https, at a name that is
 * public. Platforms download later and by themselves, so one that they cannot reach fails where
 * nobody sees it.
 */
export function isPublicImageUrl (address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:') return false
  const { hostname } = url
  return hostname.includes('.') && !hostname.startsWith('[') && isIP(hostname) === 0 &&
    !/\.(localhost|local|internal)\.?$/.test(hostname)
}
