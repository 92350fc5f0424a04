import { createHash } from 'node:crypto'

/**
 * The name of a command at the marketplace: the same key is the same UUID, so a repeat is
 * recognised there.
 */
export function deriveCommandId (key: string): string {
  const hash = createHash('sha256').update(key).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(15), 16) & 3) | 8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(12, 15)}-${variant}${hash.slice(16, 19)}-${
    hash.slice(19, 31)
  }`
}
