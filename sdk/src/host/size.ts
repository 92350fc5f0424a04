/** The size of a number, a boolean or null. */
const plainBytes = 5
/** The size of quotes, a comma and a colon. */
const punctuationBytes = 4

/**
 * Whether a value has at most `mostBytes` bytes, counted roughly as JSON; buffers count with their
 * own bytes. It stops at the limit, so a much too large value costs no more than one at the limit.
 * A value that contains itself exceeds any limit.
 */
export function fits (value: unknown, mostBytes: number): boolean {
  return sizeUpTo(value, mostBytes) <= mostBytes
}

/**
 * Counts the bytes of a value like `fits`. Returns a number above `mostBytes` when the value is
 * larger.
 */
export function sizeUpTo (value: unknown, mostBytes: number): number {
  let left = mostBytes
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    left -= visit(waiting.pop(), waiting, left)
    if (left < 0) break
  }
  return mostBytes - left
}

/**
 * Counts the bytes of a value without its parts. Adds the parts to `waiting` unless there are more
 * than fit.
 */
function visit (value: unknown, waiting: unknown[], left: number): number {
  if (typeof value === 'string') return value.length + punctuationBytes
  if (typeof value !== 'object' || value === null) return plainBytes
  if (isBuffer(value)) return value.byteLength + punctuationBytes
  if (Array.isArray(value)) {
    if (value.length * punctuationBytes > left) return Infinity
    for (const item of value) waiting.push(item)
    return punctuationBytes
  }
  if (value instanceof Map || value instanceof Set) {
    if (value.size * punctuationBytes > left) return Infinity
    for (const [key, member] of value.entries()) waiting.push(key, member)
    return punctuationBytes
  }
  let bytes = punctuationBytes
  if (value instanceof Error) bytes += value.message.length + (value.stack?.length ?? 0)
  for (const name in value) {
    bytes += name.length + punctuationBytes
    if (bytes > left) return bytes
    waiting.push(Reflect.get(value, name))
  }
  return bytes
}

function isBuffer (value: object): value is ArrayBufferView | ArrayBuffer | SharedArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
}
