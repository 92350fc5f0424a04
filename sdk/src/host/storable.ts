const mostNameLength = 200
const mostJobKeyLength = 1_000
const mostPositionLength = 65_536
const mostValueBytes = 65_536
const mostTtlSeconds = 10 * 365 * 86_400

// Checked where the adapter calls: the sentence reaches its author, and what a database would refuse cannot fail the end of a whole job.

export function checkedName (name: string): string {
  if (name === '__proto__') throw new RangeError('__proto__ cannot be a name')
  return checkedText(name, 'a name', mostNameLength)
}

export function checkedJobKey (key: string): string {
  return checkedText(key, 'the key of a job', mostJobKeyLength)
}

export function checkedPosition (position: string): string {
  return checkedText(position, 'a position', mostPositionLength, 0)
}

function checkedText (text: unknown, what: string, longest: number, shortest = 1): string {
  if (typeof text !== 'string' || text.length < shortest || text.length > longest) throw new RangeError(`${what} is a text of ${shortest} to ${longest} characters`)
  if (!text.isWellFormed() || text.includes('\0')) throw new RangeError(`${what} holds a NUL character or half of a surrogate pair`)
  return text
}

/** The value as it will be read: through JSON, wherever the adapter runs. */
export function checkedValue (value: unknown): unknown {
  const json = toJson(value, 'a value must be JSON data; delete() removes one')
  if (Buffer.byteLength(json) > mostValueBytes) throw new RangeError(`a value has at most ${mostValueBytes} bytes as JSON`)
  return JSON.parse(json)
}

export function checkedPayload (payload: object): Record<string, unknown> {
  const read: unknown = JSON.parse(toJson(payload, 'a payload must be JSON data'))
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new TypeError('a payload is an object')
  return Object.fromEntries(Object.entries(read))
}

export function checkedTtl (ttlSeconds: number | undefined): number | undefined {
  if (ttlSeconds !== undefined && !(ttlSeconds > 0 && ttlSeconds <= mostTtlSeconds)) throw new RangeError('ttlSeconds is more than 0 and at most ten years')
  return ttlSeconds
}

function toJson (value: unknown, refusal: string): string {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw new TypeError(refusal)
  // JSON.stringify writes exactly these two as escapes; a backslash that is data stands twice.
  if (/\\u(?:0000|d[89a-f])/.test(json.replaceAll('\\\\', ''))) throw new TypeError('a text in it holds a NUL character or half of a surrogate pair')
  return json
}
