import type { Log } from '../context.ts'
import { createRedactor } from '../redact.ts'

const deepestValue = 8
/** A deeper answer would exhaust the stack of the code that shows it. */
const deepestAnswer = 1_000
/** Redacting a shorter one would blacken ordinary text. */
const shortestSecret = 4

/** Creates a log that applies `redact` to everything: fields, messages and errors. */
export function redactingLog (log: Log, redact: (value: unknown) => unknown): Log {
  const level = (name: keyof Log) => (fields: object, message: string): void => {
    log[name](redact(fields) as object, String(redact(message)))
  }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}

/**
 * Lists the forms of a secret: Basic authentication shows a key in base64, and a text that quotes
 * JSON shows it escaped.
 */
function formsOf (secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    Buffer.from(`${secret}:`).toString('base64')
  ]
}

// Check the secret, not its forms: a form of a secret that is too short may be long enough.
const isSecret = (secret: string): boolean => secret.length >= shortestSecret

function createTextRedactor (secrets: readonly string[]): (text: string) => string {
  return createRedactor(secrets.filter(isSecret).flatMap(formsOf))
}

/** Copies any value and replaces the secrets in it, including the names of members. */
export function createValueRedactor (secrets: readonly string[]): (value: unknown) => unknown {
  const redactText = createTextRedactor(secrets)

  function redact (value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value)
    // Functions and symbols are not data: a line with one could not leave an adapter's thread.
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    if (value instanceof Error) return redactError(value)
    if (depth === deepestValue) return '[deep]'
    if (Array.isArray(value)) return value.map(item => redact(item, depth + 1))
    return Object
      .fromEntries(Object.entries(value).map(([name, member]) => [redactText(name), redact(member, depth + 1)]))
  }

  function redactError (error: Error): Error {
    const copy = new Error(redactText(error.message))
    copy.name = error.name
    copy.stack = redactText(error.stack ?? '')
    return copy
  }

  return value => redact(value, 0)
}

/**
 * Copies plain data, to a thousand levels, and replaces the secrets in it; the answer keeps its
 * form. Leaves values unchanged that are neither text, array nor object.
 */
export function createAnswerRedactor (secrets: readonly string[]): (answer: unknown) => unknown {
  const known = secrets.filter(isSecret)
  if (known.length === 0) return answer => answer
  const redactText = createTextRedactor(known)

  return function redactAnswer (answer) {
    // Copy an object once that occurs in many places, or in itself.
    const copies = new Map<object, unknown>()

    function copyOf (value: unknown, depth: number): unknown {
      if (typeof value === 'string') return redactText(value)
      if (typeof value !== 'object' || value === null || !isPlain(value)) return value
      const made = copies.get(value)
      if (made !== undefined) return made
      if (depth === deepestAnswer) return '[deep]'
      return Array.isArray(value) ? copyList(value, depth + 1) : copyObject(value, depth + 1)
    }

    function copyList (list: unknown[], depth: number): unknown[] {
      const copy: unknown[] = []
      copies.set(list, copy)
      for (const item of list) copy.push(copyOf(item, depth))
      return copy
    }

    function copyObject (object: object, depth: number): object {
      const copy = {}
      copies.set(object, copy)
      for (const [name, member] of Object.entries(object)) {
        // Define it as data: the name may be `__proto__`.
        Object.defineProperty(copy, redactText(name), {
          value: copyOf(member, depth),
          enumerable: true,
          configurable: true,
          writable: true
        })
      }
      return copy
    }

    return copyOf(answer, 0)
  }
}

function isPlain (value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** Removes the secrets of a context from everything that leaves it. */
export interface Secrecy {
  redact: (value: unknown) => unknown
  /** Removes secrets from plain data and keeps its form. */
  redactAnswer: (answer: unknown) => unknown
  /** Whether plain data contains a secret. */
  isIn(value: unknown): boolean
  /** Adds credentials that replaced those of the client. */
  addCredentials(credentials: unknown): void
  /** Adds a secret that the client received besides its credentials. */
  addSecret(secret: string): void
}

/**
 * Collects the values that an adapter's schemas mark as secret, in the given config and credentials
 * and in those added later.
 */
export function createSecrecy (
  schemas: { config: object, credentials: object },
  given: { config: object, credentials: unknown }
): Secrecy {
  const secrets = new Set(collectMarked(schemas.config, given.config))
  let redactKnown = createValueRedactor([])
  let redactAnswer = createAnswerRedactor([])

  function add (added: readonly string[]): void {
    for (const secret of added) secrets.add(secret)
    redactKnown = createValueRedactor([...secrets])
    redactAnswer = createAnswerRedactor([...secrets])
  }

  function isIn (value: unknown): boolean {
    return JSON.stringify(redactAnswer(value)) !== JSON.stringify(value)
  }

  function addCredentials (credentials: unknown): void {
    add(collectSecrets(schemas.credentials, credentials))
  }

  addCredentials(given.credentials)
  return {
    redact: value => redactKnown(value),
    redactAnswer: answer => redactAnswer(answer),
    isIn,
    addCredentials,
    addSecret (secret) {
      add([secret])
    }
  }
}

/**
 * Values that one call received or made and that its log lines and its error must not contain,
 * besides the secrets of its connection.
 */
export interface CallSecrets {
  /** Adds every text in the value. */
  add(value: unknown): void
  redact(value: unknown): unknown
  isEmpty(): boolean
  /**
   * Adds texts that answers must not contain either. The other values of a route, such as a state,
   * may be part of its answer.
   */
  addMarked(secrets: readonly string[]): void
  redactAnswer(answer: unknown): unknown
}

export function createCallSecrets (): CallSecrets {
  const secrets = new Set<string>()
  const marked = new Set<string>()
  let redactKnown: (value: unknown) => unknown = value => value
  let redactAnswer: (answer: unknown) => unknown = answer => answer
  return {
    addMarked (added) {
      for (const secret of added) marked.add(secret)
      redactAnswer = createAnswerRedactor([...marked])
    },
    redactAnswer: answer => redactAnswer(answer),
    add (value) {
      for (const secret of collectStrings(value)) secrets.add(secret)
      redactKnown = createValueRedactor([...secrets])
    },
    redact: value => redactKnown(value),
    isEmpty: () => secrets.size === 0
  }
}

/**
 * Lists the values of credentials that logs must not contain: the members that the schema marks
 * `secret`, or every string when it marks none.
 */
export function collectSecrets (schema: object, credentials: unknown): string[] {
  return markedMembers(schema).size === 0 || typeof credentials !== 'object' || credentials === null
    ? collectStrings(credentials)
    : collectMarked(schema, credentials)
}

/** Lists the values of the members that the schema marks `secret`. */
export function collectMarked (schema: object, value: object): string[] {
  const marked = markedMembers(schema)
  return Object.entries(value).flatMap(([name, member]) => marked.has(name) ? collectStrings(member) : [])
}

/** Lists the names of the members that a schema marks `secret`. */
export function markedMembers (schema: object): ReadonlySet<string> {
  const properties = 'properties' in schema
    ? Object.entries(schema.properties as Record<string, { secret?: unknown }>)
    : []
  return new Set(properties.filter(([, member]) => member.secret === true).map(([name]) => name))
}

function collectStrings (value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(collectStrings)
}
