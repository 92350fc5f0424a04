import { isIP } from 'node:net'

/**
 * Whether a platform can probably download an image from an address: https and a public host name.
 * Platforms download later and on their own, so nobody would see an unreachable address fail.
 */
export function isPublicImageUrl (address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:') return false
  const { hostname } = url
  return hostname.includes('.') && !hostname.startsWith('[') && isIP(hostname) === 0 &&
    !/\.(localhost|local|internal)\.?$/.test(hostname)
}
