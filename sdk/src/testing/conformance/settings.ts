import { Type, type Static } from '@sinclair/typebox'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutByteOrderMark } from '../../host/byte-order-mark.ts'
import { compileOwnSchema } from '../../host/json-schema.ts'

/** File beside package.json that tells the suite how to call an adapter. */
export const settingsFile = 'linker.conformance.json'

const Anything = Type.Record(Type.String(), Type.Unknown())

/**
 * Content of `linker.conformance.json`. In every text of it `{origin}` stands for the address of
 * the suite's own server, such as `http://127.0.0.1:34567`.
 */
export const ConformanceSettings = Type.Object({
  $schema: Type.Optional(Type.String()),
  /** Config of a connection. */
  config: Type.Optional(Anything),
  /**
   * Credentials of a connection. The suite looks for the secret ones everywhere they must not be,
   * so they are long and made up.
   */
  credentials: Type.Optional(Type.Unknown()),
  /** `platforms.<platformType>` of linker.config.json. */
  platform: Type.Optional(Anything),
  /**
   * Arguments for a call, by its name (`OfferManager.createOffer`, `feedshop.stock.refresh`), where
   * those of the suite do not suit. A job has one: its payload.
   */
  arguments: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown()))),
  /** What the platform answers when it has no such order, if that is more than the status 404. */
  missingOrder: Type.Optional(Type.Object({
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    body: Type.Unknown()
  }, { additionalProperties: false })),
  /** Checks that are known not to pass. They are run and reported all the same. */
  exemptions: Type.Optional(Type.Array(Type.Object({
    check: Type.String(),
    /** Exempts the findings about this call alone. */
    target: Type.Optional(Type.String()),
    /** Why, for whoever reads the report. */
    reason: Type.String({ minLength: 10 })
  }, { additionalProperties: false })))
}, { additionalProperties: false })
export type ConformanceSettings = Static<typeof ConformanceSettings>
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

/** A copy of a value in which every text has the address of a server for `{origin}`. */
export function withOrigin<Value> (value: Value, origin: string): Value {
  return JSON.parse(
    JSON.stringify(value),
    (_name, member: unknown) => typeof member === 'string' ? member.replaceAll('{origin}', origin) : member
  ) as Value
}
