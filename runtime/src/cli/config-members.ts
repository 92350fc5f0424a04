import { existsSync } from 'node:fs'
import { ConnectionSettings } from '../connections/settings/schema.ts'
import { HubError, parseJsonOption } from './hub-client.ts'
import { inputOf, openJsonOption } from './read-input.ts'

type Members = Record<string, unknown>

const assignment = /^([^=]+)=(.*)$/s

/**
 * Makes a merge patch of a config from the values of `--config`. One of them may name an input with
 * members as JSON, which keeps secrets out of the arguments of the process.
 */
export async function readConfigPatch (given: readonly string[], schema: object): Promise<Members> {
  const [input, ...others] = given.filter(isInput)
  if (others.length > 0) throw new HubError('--config can name only one file, or standard input')
  const members = input === undefined ? {} : await openJsonOption('--config', input, 'members of the config')()
  if (!isObject(members)) throw new HubError(`--config ${input ?? ''} must hold a JSON object`)
  return readMembers(given.filter(text => !isInput(text)), schema, members)
}

function isInput (text: string): boolean {
  const path = inputOf('--config', text)
  // The name of a member may begin with an @, too: `@type=x`.
  return path !== undefined && (!path.includes('=') || existsSync(path))
}

function isObject (value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Adds members to a merge patch of a config, from texts of the form `key=value`. A dot in the key
 * leads into an object, and an empty value removes the member. The schema decides whether a value
 * is a text or JSON: `2` may be a number, and the id of a carrier.
 */
export function readMembers (texts: readonly string[], schema: object, given: Members = {}): Members {
  return texts.reduce<Members>((patch, text) => {
    const [, key, value] = assignment.exec(text) ?? []
    if (key === undefined || value === undefined) {
      // Leave out the text: it may be a secret.
      throw new HubError('--config must be of the form key=value, @file or -')
    }
    const names = key.split('.')
    return withMember(patch, names, readValue(`--config ${key}`, value, schemaAt(schema, names)))
  }, given)
}

/** Makes a merge patch of the hub's settings from the values of `--setting`. */
export function readSettings (texts: readonly string[]): Members {
  const known: Schema = ConnectionSettings
  return Object.fromEntries(texts.map(text => {
    const [, name, value] = assignment.exec(text) ?? []
    if (name === undefined || value === undefined) throw new HubError('--setting must be of the form name=value')
    const schema = ownOf(known.properties, name)
    if (schema !== undefined) return [name, readValue(`--setting ${name}`, value, schema)]
    throw new HubError(`--setting ${name}: the settings are ${Object.keys(known.properties ?? {}).join(', ')}`)
  }))
}

function withMember (members: Members, [name = '', ...rest]: readonly string[], value: unknown): Members {
  const before = members[name]
  const inner = isObject(before) ? before : {}
  return { ...members, [name]: rest.length === 0 ? value : withMember(inner, rest, value) }
}

function readValue (option: string, value: string, schema: Schema | undefined): unknown {
  if (value === '') return null
  if (schema === undefined) return isJson(value) ? JSON.parse(value) : value
  return takesText(schema) ? value : parseJsonOption(option, value)
}

interface Schema {
  type?: unknown
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
}

function schemaAt (schema: Schema, names: readonly string[]): Schema | undefined {
  return names.reduce<Schema | undefined>((at, name) => ownOf(at?.properties, name), schema)
}

function ownOf (properties: Schema['properties'] = {}, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function takesText ({ type, const: only, anyOf = [] }: Schema): boolean {
  return type === 'string' || typeof only === 'string' || anyOf.some(takesText)
}

function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
