import { Type, type Static } from '@sinclair/typebox'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutByteOrderMark } from '../../host/byte-order-mark.ts'
import { compileOwnSchema } from '../../host/json-schema.ts'
import { parseRecording, type Recording } from '../../host/recording/recording.ts'

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
  /**
   * The answers of the capabilities that the adapter calls on other connections: `{ "acme/Labels":
   * { "createLabel": { "id": "7" } } }`.
   */
  capabilities: Type.Optional(Type.Record(Type.String(), Anything)),
  /** The platform's answer for an order that does not exist, if it is more than the status 404. */
  missingOrder: Type.Optional(Type.Object({
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    body: Type.Unknown()
  }, { additionalProperties: false })),
  /**
   * The JSON with which the platform answers the requests of `account`, for one account and for
   * another one.
   */
  accounts: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 })),
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
    /**
     * Its events as the hub must read them, without those that the adapter does not want. Members
     * that are left out are not compared.
     */
    events: Type.Optional(Type.Array(Type.Object({
      topic: Type.Optional(Type.String()),
      eventType: Type.Optional(Type.String()),
      externalId: Type.Optional(Type.String()),
      objectType: Type.Optional(Type.String()),
      eventId: Type.Optional(Type.String()),
      occurredAt: Type.Optional(Type.String())
    }, { additionalProperties: false, minProperties: 1 }))),
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
  /**
   * Calls whose traffic with the real platform was recorded, for level 3. The calls are made with
   * the recorded answers, and with some of them changed.
   */
  fixtures: Type.Optional(Type.Array(Type.Object({
    /** Its name, as in `arguments`. */
    call: Type.String(),
    /** Default: those of `arguments`, or of the suite. */
    arguments: Type.Optional(Type.Array(Type.Unknown())),
    /** A file of the package that `createTestHost({ record })` or `linker record` made. */
    recording: Type.String({ pattern: '^(?!/)(?!.*\\.\\.)' }),
    /** How often the recording has the call, with the same arguments. Default: 1. */
    runs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
    /**
     * The arguments of a second write to the same object, for a write that the platform ends later.
     * The recording has the second call twice: while the platform still works on the first write,
     * and after the jobs of the first write have found its end.
     */
    whileOpen: Type.Optional(Type.Array(Type.Unknown()))
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
export type Fixture = NonNullable<ConformanceSettings['fixtures']>[number]
export type Exemption = NonNullable<ConformanceSettings['exemptions']>[number]

export interface ReadSettings {
  settings: ConformanceSettings
  isPresent: boolean
  problems: string[]
  /** The recordings of the fixtures by their file. */
  recordings: ReadonlyMap<string, Recording>
}

/** Reads the settings of a package. A package without the file has none. */
export async function readSettings (directory: string): Promise<ReadSettings> {
  const none = { settings: {}, recordings: new Map() }
  let text: string
  try {
    text = await readFile(join(directory, settingsFile), 'utf8')
  } catch {
    return { ...none, isPresent: false, problems: [] }
  }
  try {
    const content: unknown = JSON.parse(withoutByteOrderMark(text))
    const { problems, unknown } = compileOwnSchema(ConformanceSettings)(content)
    const found = [...problems, ...unknown].map(({ pointer, message }) => `${settingsFile}${pointer} ${message}`)
    if (found.length > 0) return { ...none, isPresent: true, problems: found }
    const settings = content as ConformanceSettings
    return { settings, isPresent: true, ...await readRecordings(directory, settings) }
  } catch (error) {
    return {
      ...none,
      isPresent: true,
      problems: [`${settingsFile} is not JSON: ${error instanceof Error ? error.message : ''}`]
    }
  }
}

async function readRecordings (
  directory: string,
  { fixtures = [] }: ConformanceSettings
): Promise<Pick<ReadSettings, 'problems' | 'recordings'>> {
  const problems: string[] = []
  const recordings = new Map<string, Recording>()
  for (const file of new Set(fixtures.map(({ recording }) => recording))) {
    try {
      recordings.set(file, parseRecording(await readFile(join(directory, file), 'utf8'), file))
    } catch (error) {
      problems.push(error instanceof TypeError ? error.message : `${file} cannot be read`)
    }
  }
  return { problems, recordings }
}

/** Copies a value and replaces `{origin}` in its texts by the address of a server. */
export function withOrigin<Value> (value: Value, origin: string): Value {
  return JSON.parse(
    JSON.stringify(value),
    (_name, member: unknown) => typeof member === 'string' ? member.replaceAll('{origin}', origin) : member
  ) as Value
}
