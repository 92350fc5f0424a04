import { isIP } from 'node:net'

const mostImages = 200
const longestUrl = 2_000

/** Those of the images that the marketplace can download: it does so itself, later, and one that it cannot reach fails there, where nobody sees it. */
export function publicImages (addresses: readonly string[]): string[] {
  return addresses.filter(isPublicHttps).slice(0, mostImages)
}

function isPublicHttps (address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:' || address.length > longestUrl) return false
  const host = url.hostname
  return host.includes('.') && !host.startsWith('[') && isIP(host) === 0 && !/\.(localhost|local|internal)\.?$/.test(host)
}
