import { createValueRedactor, escapePointer } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'

/**
 * A member of a config that changes. A new member has no `from`, and a removed member has no `to`.
 * A secret has neither, and `isSecret` instead.
 */
export interface MemberChange {
  pointer: string
  from?: unknown
  to?: unknown
  isSecret?: true
}

type Config = Readonly<Record<string, unknown>>

/**
 * Lists the members in which two configs differ. Compares nested objects member by member, and
 * arrays as a whole. Calls `isSecret` with the names of top-level members only.
 *
 * Texts that occur in a secret member are also removed from the other changes. This has limits: a
 * text of fewer than four characters stays visible, and so does a secret that is not a text, for
 * example a number. An object or array seven levels deep in a value is shown as `[deep]`.
 */
export function listChanges (before: Config, after: Config, isSecret: (name: string) => boolean): MemberChange[] {
  // Redact every change: a migration may have copied a secret into a member that is not secret.
  const redact = createValueRedactor([...secretsOf(before, isSecret), ...secretsOf(after, isSecret)])
  return namesOf(before, after).flatMap(name => {
    const pointer = `/${escapePointer(name)}`
    if (!isSecret(name)) {
      return diffMember(pointer, own(before, name), own(after, name)).map(change => redact(change) as MemberChange)
    }
    return isDeepStrictEqual(own(before, name), own(after, name)) ? [] : [{ pointer, isSecret: true as const }]
  })
}

function diffMember (pointer: string, from: unknown, to: unknown): MemberChange[] {
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
