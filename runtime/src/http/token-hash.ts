import { createHash } from 'node:crypto'

/**
 * SHA-256 in hex. A slow hash would not help: the hub makes its tokens of 32 random bytes, which
 * nobody can guess.
 */
export function hashToken (token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
