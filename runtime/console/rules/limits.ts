export interface Limits {
  buffer: number
  maxListed: number | null
}

const largest = 2_147_483_647

/** Reads the fields of the limits of an offer. An empty `maxListed` is no limit. */
export function readLimits (fields: { buffer: string, maxListed: string }): Limits | { problem: string } {
  const buffer = piecesOf(fields.buffer)
  if (buffer === undefined) return { problem: 'The buffer must be a number of pieces, 0 or more.' }
  if (fields.maxListed.trim() === '') return { buffer, maxListed: null }
  const maxListed = piecesOf(fields.maxListed)
  if (maxListed === undefined) return { problem: 'The most must be a number of pieces, 0 or more, or empty.' }
  return { buffer, maxListed }
}

function piecesOf (text: string): number | undefined {
  const pieces = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
  return pieces <= largest ? pieces : undefined
}
