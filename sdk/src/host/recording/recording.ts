import { Type, type Static } from '@sinclair/typebox'
import { withoutByteOrderMark } from '../byte-order-mark.ts'
import { compileOwnSchema } from '../json-schema.ts'

/** In place of any value of a recorded request: a request with any other value matches it. */
export const anyValue = '{any}'

/** In place of the address of the platform that a request was sent to. */
export const ownOrigin = '{origin}'

const Texts = Type.Record(Type.String(), Type.String())
const Fields = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))

/** One of `body` (JSON), `form`, `text` and `bytes`, or none. */
const RecordedRequest = Type.Object({
  method: Type.String({ minLength: 1 }),
  /** Below the address of the platform, without the query. */
  path: Type.String({ pattern: '^/' }),
  query: Type.Optional(Fields),
  headers: Type.Optional(Texts),
  body: Type.Optional(Type.Unknown()),
  form: Type.Optional(Fields),
  text: Type.Optional(Type.String()),
  /** Their hash, because nobody can read them. */
  bytes: Type.Optional(Type.Object({ length: Type.Integer(), sha256: Type.String() }, { additionalProperties: false }))
}, { additionalProperties: false })
export type RecordedRequest = Static<typeof RecordedRequest>

/** Either `body` (JSON) or `text`, or none. */
const RecordedAnswer = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  headers: Type.Optional(Texts),
  body: Type.Optional(Type.Unknown()),
  text: Type.Optional(Type.String())
}, { additionalProperties: false })
export type RecordedAnswer = Static<typeof RecordedAnswer>

/** A request, and either its answer or the code of the failure in place of one. */
export const RecordedExchange = Type.Object({
  request: RecordedRequest,
  answer: Type.Optional(RecordedAnswer),
  failure: Type.Optional(Type.String({ minLength: 1 }))
}, { additionalProperties: false })
export type RecordedExchange = Static<typeof RecordedExchange>

/** The traffic of an adapter with its platform, as a file that people read and edit. */
export const Recording = Type.Object({
  $schema: Type.Optional(Type.String()),
  /** The time of the adapter's clock at the first request. */
  recordedAt: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })),
  exchanges: Type.Array(RecordedExchange)
}, { additionalProperties: false })
export type Recording = Static<typeof Recording>

/** Reads a recording. Throws an error that names the file and the member that is wrong. */
export function parseRecording (text: string, file: string): Recording {
  let content: unknown
  try {
    content = JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw new TypeError(`${file} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  const { problems, unknown } = compileOwnSchema(Recording)(content)
  const faults = [...problems, ...unknown].map(({ pointer, message }) => `${pointer} ${message}`)
  if (faults.length > 0) throw new TypeError(`${file} is no recording: ${faults.join(', ')}`)
  const recording = content as Recording
  const open = recording.exchanges.findIndex(({ answer, failure }) =>
    (answer === undefined) === (failure === undefined)
  )
  if (open >= 0) throw new TypeError(`${file} is no recording: /exchanges/${open} has either an answer or a failure`)
  return recording
}

export function formatRecording (recording: Recording): string {
  return `${JSON.stringify(recording, null, 2)}\n`
}
