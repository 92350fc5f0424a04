import { Type, type Static } from '@sinclair/typebox'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutByteOrderMark } from '../../host/byte-order-mark.ts'
import { compileOwnSchema } from '../../host/json-schema.ts'

/** The file beside package.json that tells the suite how to call an adapter. */
export const settingsFile = 'linker.conformance.json'

const Anything = Type.Record(Type.String(), Type.Unknown())

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })
const request = {
  /** Without its `?`. */
  query: Type.Optional(Type.String()),
  /** The address that the platform was given, if it signs that. */
  callbackUrl: Type.Optional(Type.String())
}

/**
 * The content of `linker.conformance.json`. In all its texts, `{origin}` stands for the address of
 * the suite's own server, such as `http://127.0.0.1:34567`.
 */
export const ConformanceSettings = Type.Object({
  $schema: Type.Optional(Type.String()),
  /** The config of a connection. */
  config: Type.Optional(Anything),
  /**
   * The credentials of a connection. The suite searches for the secret ones in all places where
   * they must not appear, so make them long and fictitious.
   */
  credentials: Type.Optional(Type.Unknown()),
  /** `platforms.<platformType>` of linker.config.json. */
  platform: Type.Optional(Anything),
  /**
   * The arguments for a call, by its name (`OfferManager.createOffer`, `feedshop.stock.refresh`),
   * if those of the suite do not suit. A job has one: its payload.
   */
  arguments: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown()))),
  /** The platform's answer for an order that does not exist, if it is more than the status 404. */
  missingOrder: Type.Optional(Type.Object({
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    body: Type.Unknown()
  }, { additionalProperties: false })),
  /**
   * Genuine deliveries of the platform, for an adapter with `webhooks.verify`: from its
   * documentation, or recorded. `at` is the time at which the hub got it.
   */
  deliveries: Type.Optional(Type.Array(Type.Object({
    secret: Type.String({ minLength: 1 }),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
    at: time,
    method: Type.Optional(Type.String()),
    ...request
  }, { additionalProperties: false }))),
  /**
   * Challenges of the platform with the answers that it expects, for an adapter with
   * `webhooks.challenges`. A token in the config is that of `config` above.
   */
  challenges: Type.Optional(Type.Array(Type.Object({
    ...request,
    secret: Type.Optional(Type.String({ minLength: 1 })),
    method: Type.String(),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(Type.String()),
    at: Type.Optional(time),
    answer: Type.Object({
      /** Default: 200. */
      status: Type.Optional(Type.Integer()),
      /** Texts must be equal, and JSON as a value. */
      body: Type.Optional(Type.String()),
      headers: Type.Optional(Type.Record(Type.String(), Type.String()))
    }, { additionalProperties: false })
  }, { additionalProperties: false }))),
  /** Checks that are known to fail. The suite still runs and reports them. */
  exemptions: Type.Optional(Type.Array(Type.Object({
    check: Type.String(),
    /** Exempts only the findings about this call. */
    target: Type.Optional(Type.String()),
    /** The reason, for readers of the report. */
    reason: Type.String({ minLength: 10 })
  }, { additionalProperties: false })))
}, { additionalProperties: false })
export type ConformanceSettings = Static<typeof ConformanceSettings>
export type SampleDelivery = NonNullable<ConformanceSettings['deliveries']>[number]
export type SampleChallenge = NonNullable<ConformanceSettings['challenges']>[number]
export type Exemption = NonNullable<ConformanceSettings['exemptions']>[number]

export interface ReadSettings {
  settings: ConformanceSettings
  isPresent: boolean
  problems: string[]
}

/** Reads the settings of a package. A package without the file has none. */
export async function readSettings (directory: string): Promise<ReadSettings> {
  let text: string
  try {
    text = await readFile(join(directory, settingsFile), 'utf8')
  } catch {
    return { settings: {}, isPresent: false, problems: [] }
  }
  try {
    const content: unknown = JSON.parse(withoutByteOrderMark(text))
    const { problems, unknown } = compileOwnSchema(ConformanceSettings)(content)
    const found = [...problems, ...unknown].map(({ pointer, message }) => `${settingsFile}${pointer} ${message}`)
    return { settings: found.length === 0 ? content as ConformanceSettings : {}, isPresent: true, problems: found }
  } catch (error) {
    return {
      settings: {},
      isPresent: true,
      problems: [`${settingsFile} is not JSON: ${error instanceof Error ? error.message : ''}`]
    }
  }
}

/** Copies a value and replaces `{origin}` in its texts by the address of a server. */
export function withOrigin<Value> (value: Value, origin: string): Value {
  return JSON.parse(
    JSON.stringify(value),
    (_name, member: unknown) => typeof member === 'string' ? member.replaceAll('{origin}', origin) : member
  ) as Value
}
