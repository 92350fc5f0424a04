import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError } from '../hub-client.ts'

/** The file with the settings of an author, such as the credentials of a test account. */
export const ownFile = 'linker.dev.json'
/** The made-up settings of the conformance suite, which count where the other file is silent. */
export const suiteFile = 'linker.conformance.json'

const Members = Type.Record(Type.String(), Type.Unknown())

const shared = {
  /** The config of the connection. */
  config: Type.Optional(Members),
  /** Its credentials. */
  credentials: Type.Optional(Type.Unknown()),
  /** `platforms.<platformType>` of linker.config.json. */
  platform: Type.Optional(Members)
}

const OwnSettings = Type.Object({
  $schema: Type.Optional(Type.String()),
  ...shared,
  /** The address that stands for `{origin}` in both files. */
  upstream: Type.Optional(Type.String({ pattern: '^https?://[^/]+' }))
}, { additionalProperties: false })

/** The part of the suite's settings that a connection has. The suite checks the rest. */
const SuiteSettings = Type.Object(shared)

export interface DevSettings {
  config?: Record<string, unknown> | undefined
  credentials?: unknown
  platform?: Record<string, unknown> | undefined
  /** Why there is no connection to make; undefined when there is one. */
  lacks?: string | undefined
}

/**
 * Reads the settings of the connection that `linker dev` makes. `upstream` is the address that
 * stands for `{origin}`, and wins over that of the file. Throws when a file is wrong.
 */
export async function readDevSettings (directory: string, upstream: string | undefined): Promise<DevSettings> {
  const own = await readSettings(directory, ownFile, OwnSettings)
  const suite = await readSettings(directory, suiteFile, SuiteSettings)
  const { upstream: written, $schema: _schema, ...members } = { ...own }
  const origin = upstream ?? written
  if (own === undefined && suite === undefined) return { lacks: `there is no ${ownFile} and no ${suiteFile}` }
  const { config, credentials, platform } = { ...suite, ...members }
  const settings = { config, credentials, platform }
  const needsOrigin = JSON.stringify(settings).includes('{origin}')
  if (needsOrigin && origin === undefined) {
    return { lacks: 'the settings name {origin}: start with --upstream <address> or --simulator <command>' }
  }
  return origin === undefined ? settings : replaceOrigin(settings, origin.replace(/\/+$/, ''))
}

async function readSettings<Schema extends typeof OwnSettings | typeof SuiteSettings> (
  directory: string,
  name: string,
  schema: Schema
): Promise<Static<Schema> | undefined> {
  let text: string
  try {
    text = await readFile(join(directory, name), 'utf8')
  } catch {
    return undefined
  }
  let content: unknown
  try {
    content = JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    // Leave out the parser's words: they quote the text, which may be a secret.
    throw new HubError(`${name} is not JSON`, { cause: error })
  }
  const [problem] = Value.Errors(schema, content)
  if (problem !== undefined) throw new HubError(`${name}${problem.path}: ${problem.message}`)
  return Value.Decode(schema, content)
}

function replaceOrigin (settings: DevSettings, origin: string): DevSettings {
  return JSON.parse(
    JSON.stringify(settings),
    (_name, member: unknown) => typeof member === 'string' ? member.replaceAll('{origin}', origin) : member
  ) as DevSettings
}
