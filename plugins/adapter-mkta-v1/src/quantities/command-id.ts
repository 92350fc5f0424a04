import { createHash } from 'node:crypto'

/**
 * Derives the id of a command at the marketplace. The same key gives the same UUID, so the
 * marketplace recognises a repeat.
 */
export function deriveCommandId (key: string): string {
  const hash = createHash('sha256').update(key).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(15), 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(12, 15)}`,
    `${variant}${hash.slice(16, 19)}`,
    hash.slice(19, 31)
  ].join('-')
}
