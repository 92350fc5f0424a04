import { escapePointer } from '../../host/pointer.ts'
import { mapRequest, type Value } from '../../host/recording/map-values.ts'
import { isSecretMember } from '../../host/recording/member-words.ts'
import { emailForm, personalKind } from '../../host/recording/personal-data.ts'
import { anyValue, type RecordedRequest } from '../../host/recording/recording.ts'

/** The difference between two values, and the JSON pointer to it. */
interface Difference {
  pointer: string
  asked: unknown
  recorded: unknown
}

/**
 * Returns a request as requests are compared: without the secrets and the personal data, whose
 * made-up values differ from one recording to the next.
 */
export function comparable (request: RecordedRequest): RecordedRequest {
  const { headers: _headers, ...compared } = request
  return mapRequest(compared, '', hideMadeUp)
}

function hideMadeUp (value: Value): unknown {
  if (typeof value.value === 'boolean') return value.value
  if (isSecretMember(value.name) || personalKind(value) !== undefined) return anyValue
  return typeof value.value === 'string' ? value.value.replace(emailForm, anyValue) : value.value
}

/** Lists the differences between two comparable requests, the most important first. */
export function differencesOf (asked: RecordedRequest, recorded: RecordedRequest): Difference[] {
  return [...compare({ ...asked }, { ...recorded }, '')].sort((a, b) => weightOf(b) - weightOf(a))
}

function weightOf ({ pointer }: Difference): number {
  if (pointer === '/method') return 2
  return pointer === '/path' ? 1 : 0
}

function* compare (asked: unknown, recorded: unknown, pointer: string): Generator<Difference> {
  if (recorded === anyValue || asked === recorded) return
  if (typeof recorded === 'string' && typeof asked === 'string' && fits(asked, recorded)) return
  if (Array.isArray(asked) && Array.isArray(recorded) && asked.length === recorded.length) {
    for (const [index, item] of asked.entries()) yield* compare(item, recorded[index], `${pointer}/${index}`)
    return
  }
  if (isObject(asked) && isObject(recorded)) {
    for (const name of new Set([...Object.keys(asked), ...Object.keys(recorded)])) {
      yield* compare(asked[name], recorded[name], `${pointer}/${escapePointer(name)}`)
    }
    return
  }
  yield { pointer, asked, recorded }
}

/** Whether a text equals a recorded one in which any part may stand for a placeholder. */
function fits (asked: string, recorded: string): boolean {
  const parts = recorded.split(anyValue)
  if (parts.length === 1) return false
  const [first = '', ...others] = parts
  if (!asked.startsWith(first)) return false
  const last = others.pop() ?? ''
  let at = first.length
  for (const part of others) {
    const found = asked.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return asked.length - last.length >= at && asked.endsWith(last)
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
