import { DamagedBackupError } from '../errors.ts'
import type { Header, Piece } from './archive.ts'

/** Splits the pieces of a backup into the first, which tells how to restore it, and the others. */
export async function takeHeader (pieces: AsyncGenerator<Piece>): Promise<
  { header: Header, rest: AsyncGenerator<Piece> }
> {
  const { value, done } = await pieces.next()
  if (done === true || value.kind !== 'header') throw new DamagedBackupError('it is empty')
  return { header: value.header, rest: pieces }
}
