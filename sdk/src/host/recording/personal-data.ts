import { mapExchange, type ChangeValue, type Value } from './map-values.ts'
import { personalKindOf, type PersonalKind } from './member-words.ts'
import type { RecordedExchange } from './recording.ts'

/**
 * Returns the value to write in place of a text, a number or a truth value of an exchange. The
 * pointer leads to it from the exchange: `/request/query/email`, `/answer/body/0/note`.
 */
export type RedactValue = (value: string | number | boolean, pointer: string) => unknown

// The look-behind keeps the search linear: a match begins only where a word begins.
export const emailForm = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
/** A shorter number is an id, not one of a person. */
const fewestDigits = 6
/** Replaced in every text, a shorter name would change ordinary words. */
const shortestName = 5
const namesOfPersons: readonly PersonalKind[] = ['first name', 'last name', 'full name', 'login', 'street']

/** Returns the kind of personal data that a value is, by the names around it. */
export function personalKind (value: Value): PersonalKind | undefined {
  if (typeof value.value === 'boolean') return undefined
  const text = String(value.value).trim()
  const kind = personalKindOf(value)
  switch (kind) {
    case 'number':
      return text.replace(/\D/g, '').length < fewestDigits ? undefined : kind
    case 'email':
      // The addresses in it are found in any text.
      return undefined
    default:
      return typeof value.value === 'string' && text !== '' ? kind : undefined
  }
}

/**
 * Replaces the personal data in exchanges by made-up values: the same value by the same one, in all
 * of them. Finds values by the names of their members, e-mail addresses in any text, and names that
 * it has found so anywhere else.
 */
export function withoutPersonalData (exchanges: readonly RecordedExchange[], redact?: RedactValue): RecordedExchange[] {
  const madeUp = createMadeUp()
  for (const exchange of exchanges) {
    mapExchange(exchange, value => {
      const kind = personalKind(value)
      if (kind !== undefined) madeUp.of(kind, String(value.value))
      return value.value
    })
  }
  const replaceNames = madeUp.inTexts()

  function replace (value: Value): unknown {
    const kind = personalKind(value)
    if (kind !== undefined) {
      const made = madeUp.of(kind, String(value.value))
      return typeof value.value === 'number' ? Number(made) : made
    }
    if (typeof value.value !== 'string') return value.value
    return replaceNames(value.value.replace(emailForm, madeUp.email))
  }

  return exchanges.map(exchange => {
    const replaced = mapExchange(exchange, replace)
    return redact === undefined ? replaced : mapExchange(replaced, redactedBy(redact))
  })
}

/** Lets the author change values, not the names of members. */
export function redactedBy (redact: RedactValue): ChangeValue {
  return ({ value, pointer, isName }) => isName === true ? value : redact(value, pointer)
}

function createMadeUp () {
  const known = new Map<string, string>()
  const counts = new Map<PersonalKind, number>()
  const names = new Map<string, string>()
  const madeAddresses = new Set<string>()

  function of (kind: PersonalKind, value: string): string {
    // Platforms write an address in either case.
    const key = `${kind} ${kind === 'email' ? value.toLowerCase() : value}`
    const existing = known.get(key)
    if (existing !== undefined) return existing
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const made = makeUp(kind, number, value)
    known.set(key, made)
    if (kind === 'email') madeAddresses.add(made)
    if (namesOfPersons.includes(kind) && value.length >= shortestName) names.set(value, made)
    return made
  }

  /** An address in a URL may be percent-encoded. */
  function email (found: string): string {
    const plain = found.replace('%40', '@')
    // A part of a text was replaced before the whole text.
    if (madeAddresses.has(plain)) return found
    const made = of('email', plain)
    return plain === found ? made : made.replace('@', '%40')
  }

  /** Returns the function that replaces the names so far, as whole words, in a text. */
  function inTexts (): (text: string) => string {
    if (names.size === 0) return text => text
    const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
    const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
    return text => text.replace(words, found => names.get(found) ?? found)
  }

  return { of, email, inTexts }
}

function makeUp (kind: PersonalKind, number: number, value: string): string {
  switch (kind) {
    case 'first name':
      return `Name${number}`
    case 'last name':
      return `Surname${number}`
    case 'full name':
      return `Name${number} Surname${number}`
    case 'login':
      return `login${number}`
    case 'street':
      return `Street ${number}`
    case 'house number':
      return String(number)
    case 'company':
      return `Company ${number}`
    case 'email':
      return `person${number}@example.com`
    case 'birthday':
      return '1970-01-01'
    case 'address':
      return '192.0.2.1'
    case 'number':
      return withDigits(value, number)
  }
}

/** `+48 600 123 456` → `+48 000 000 001`: the form stays, because platforms have rules for it. */
function withDigits (value: string, number: number): string {
  const prefix = /^\+\d\d/.exec(value)?.[0] ?? ''
  const rest = value.slice(prefix.length)
  const count = rest.replace(/\D/g, '').length
  const digits = String(number).padStart(count, '0').slice(-count)
  let at = 0
  return prefix + rest.replace(/\d/g, () => digits[at++] ?? '0')
}

function escaped (text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
