import type { Log } from '../context.ts'
import { createRedactor } from '../redact.ts'

const deepestValue = 8

/** A log through which everything passes `redact`: fields, messages and errors. */
export function redactingLog (log: Log, redact: (value: unknown) => unknown): Log {
  const level = (name: keyof Log) => (fields: object, message: string): void => { log[name](redact(fields) as object, String(redact(message))) }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}

/** Replaces the secrets by value in a copy of anything. Their base64 forms count too: Basic authentication shows a key that way. */
export function createValueRedactor (secrets: readonly string[]): (value: unknown) => unknown {
  const redactText = createRedactor(secrets.flatMap(secret => [secret, Buffer.from(secret).toString('base64'), Buffer.from(`${secret}:`).toString('base64')]))

  function redact (value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value)
    // Neither is data: in an adapter's thread a line with one could not be told to the host.
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    if (value instanceof Error) return redactError(value)
    if (depth === deepestValue) return '[deep]'
    if (Array.isArray(value)) return value.map(item => redact(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redact(member, depth + 1)]))
  }

  function redactError (error: Error): Error {
    const copy = new Error(redactText(error.message))
    copy.name = error.name
    copy.stack = redactText(error.stack ?? '')
    return copy
  }

  return value => redact(value, 0)
}

/** How a context keeps its secrets out of logs. */
export interface Secrecy {
  redact: (value: unknown) => unknown
  /** Credentials that replaced those the client was made with. */
  addCredentials (credentials: unknown): void
  /** One that the client was given beside them. */
  addSecret (secret: string): void
}

/** Keeps what the schemas of an adapter mark as secret, in the config and the credentials given, and in those that are added. */
export function createSecrecy (schemas: { config: object, credentials: object }, given: { config: object, credentials: unknown }): Secrecy {
  const secrets = new Set(collectMarked(schemas.config, given.config))
  let redactKnown = createValueRedactor([])

  function add (added: readonly string[]): void {
    for (const secret of added) secrets.add(secret)
    redactKnown = createValueRedactor([...secrets])
  }

  function addCredentials (credentials: unknown): void {
    add(collectSecrets(schemas.credentials, credentials))
  }

  addCredentials(given.credentials)
  return { redact: value => redactKnown(value), addCredentials, addSecret (secret) { add([secret]) } }
}

/** What one call was given or made that stays out of its log lines and its error, beside the secrets of its connection. */
export interface CallSecrets {
  /** Every text in the value. */
  add (value: unknown): void
  redact (value: unknown): unknown
  isEmpty (): boolean
}

export function createCallSecrets (): CallSecrets {
  const secrets = new Set<string>()
  let redactKnown: (value: unknown) => unknown = value => value
  return {
    add (value) {
      for (const secret of collectStrings(value)) secrets.add(secret)
      redactKnown = createValueRedactor([...secrets])
    },
    redact: value => redactKnown(value),
    isEmpty: () => secrets.size === 0
  }
}

/** The values of credentials that must stay out of logs: the members that the schema marks `secret`, every string when it marks none. */
export function collectSecrets (schema: object, credentials: unknown): string[] {
  return markedMembers(schema).size === 0 || typeof credentials !== 'object' || credentials === null ? collectStrings(credentials) : collectMarked(schema, credentials)
}

/** The values of the members that the schema marks `secret`. */
export function collectMarked (schema: object, value: object): string[] {
  const marked = markedMembers(schema)
  return Object.entries(value).flatMap(([name, member]) => marked.has(name) ? collectStrings(member) : [])
}

/** Names of the members that a schema marks `secret`. */
export function markedMembers (schema: object): ReadonlySet<string> {
  const properties = 'properties' in schema ? Object.entries(schema.properties as Record<string, { secret?: unknown }>) : []
  return new Set(properties.filter(([, member]) => member.secret === true).map(([name]) => name))
}

function collectStrings (value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(collectStrings)
}
