import { createValueRedactor, escapePointer } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'

/**
 * A config member that changes. `from` is absent when the member is new, `to` when it is removed,
 * and both when it is a secret.
 */
export interface ConfigChange {
  pointer: string
  from?: unknown
  to?: unknown
  isSecret?: true
}

type Config = Readonly<Record<string, unknown>>

/**
 * Lists the members that differ, and compares objects member by member. `isSecret` gets the name of
 * a top-level member of the config.
 */
export function diffConfig (before: Config, after: Config, isSecret: (name: string) => boolean): ConfigChange[] {
  // A migration may have copied a secret into a member that is not marked as secret.
  const redact = createValueRedactor([...secretsOf(before, isSecret), ...secretsOf(after, isSecret)])
  return namesOf(before, after).flatMap(name => {
    const pointer = `/${escapePointer(name)}`
    if (!isSecret(name)) {
      return diffMember(pointer, own(before, name), own(after, name)).map(change => redact(change) as ConfigChange)
    }
    return isDeepStrictEqual(own(before, name), own(after, name)) ? [] : [{ pointer, isSecret: true as const }]
  })
}

function diffMember (pointer: string, from: unknown, to: unknown): ConfigChange[] {
  if (isObject(from) && isObject(to)) {
    return namesOf(from, to).flatMap(name =>
      diffMember(`${pointer}/${escapePointer(name)}`, own(from, name), own(to, name))
    )
  }
  if (isDeepStrictEqual(from, to)) return []
  return [{ pointer, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]
}

function secretsOf (config: Config, isSecret: (name: string) => boolean): string[] {
  return Object.entries(config).flatMap(([name, value]) => isSecret(name) ? stringsOf(value) : [])
}

function stringsOf (value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

function namesOf (before: Config, after: Config): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
}

function own (value: Config, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject (value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
