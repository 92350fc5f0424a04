import { DamagedBackupError } from '../errors.ts'

/** A row has at most some columns of a few hundred kilobytes. */
const mostBytes = 256 * 1024 ** 2
const lineBreak = 10

/**
 * Splits bytes at line breaks. Not `node:readline`: it also splits at U+2028, which JSON leaves as
 * it is.
 */
export async function* linesOf (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(lineBreak); to !== -1; to = chunk.indexOf(lineBreak, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, to)]).toString()
      ;[rest, bytes, from] = [[], 0, to + 1]
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > mostBytes) throw new DamagedBackupError('a line has no end')
  }
  if (rest.length > 0) throw new DamagedBackupError('its last line has no end')
}
