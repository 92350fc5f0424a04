import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export const LogLevelName = Type.Union(levels.map(level => Type.Literal(level)))
export type LogLevelName = Static<typeof LogLevelName>

export const LogLevelBody = Type.Object({
  level: LogLevelName,
  minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 30,
    description: 'How long it holds; then the hub logs at LOG_LEVEL again'
  })
}, { additionalProperties: false })

export const LogLevelView = Type.Object({
  level: Type.String({ description: 'The level at which all processes log now' }),
  usual: Type.String({ description: 'LOG_LEVEL of the process that answers' }),
  until: Nullable(Type.String({ description: 'When `usual` holds again; null: it holds now' }))
}, { $id: 'LogLevel' })
export type LogLevelView = Static<typeof LogLevelView>

const Mode = Type.Union([Type.Literal('embedded'), Type.Literal('postgres'), Type.Literal('full')], {
  description: 'Where the hub stores its state'
})

const ProcessView = Type.Object({
  id: Id,
  role: Type.String({ description: 'all, http or worker' }),
  mode: Type.Union([...Mode.anyOf, Type.Null()], {
    description: 'Where it stores the state of the hub; null: it is of an older version, which does not say it'
  }),
  version: Type.String({ description: 'Of `@linker/runtime`' }),
  host: Type.String({ description: 'Name of its machine or container' }),
  pid: Type.Integer(),
  startedAt: Type.String(),
  seenAt: Type.String({ description: 'When it last said that it lives; it does so every 15 s' }),
  answers: Type.Boolean({ description: 'Whether it is the process that answers' })
})
export type ProcessView = Static<typeof ProcessView>

const Days = (description: string) => Type.Integer({ description })

export const System = Type.Object({
  version: Type.String({ description: 'Of `@linker/runtime`' }),
  node: Type.String({ description: 'Version of Node.js' }),
  mode: Mode,
  role: Type.String({ description: 'LINKER_ROLE of the process that answers' }),
  configurationFile: Type.String({ description: 'Path of linker.config.json; the file need not exist' }),
  dataDirectory: Type.String(),
  freeBytes: Nullable(Type.Integer({
    description: 'Free bytes of the disk of the data directory; null: there is no such directory'
  })),
  publicUrl: Nullable(Type.String({ description: 'LINKER_PUBLIC_URL' })),
  credentialKeys: Type.Array(Type.String(), {
    description: 'Ids of the keys that stored credentials and secrets are encrypted with'
  }),
  encryption: Type.Boolean({ description: 'Whether new credentials and secrets are stored encrypted' }),
  isProduction: Type.Boolean({ description: 'NODE_ENV is production: unsafe settings are refused' }),
  console: Type.Boolean({ description: 'Whether the process that answers serves the console (LINKER_CONSOLE)' }),
  processes: Type.Array(ProcessView, { description: 'Those that were alive within the last minute' }),
  adapters: Type.Array(Type.Object({ adapter: Type.String(), state: Type.String() }), {
    description: 'As the process that answers has loaded them'
  }),
  start: Type.Array(Type.Object({ step: Type.String(), ms: Type.Integer() }), {
    description: 'How long each step of the start took, of the process that answers'
  }),
  logLevel: Type.Omit(LogLevelView, []),
  retention: Type.Object({
    webhookDays: Days('Accepted deliveries can be replayed for so long (LINKER_WEBHOOK_KEPT_DAYS)'),
    finishedJobDays: Days('Jobs that ended well are kept for so long'),
    deadJobDays: Days('Dead jobs and redrives are kept for so long'),
    auditDays: Days('Entries of the audit are kept for so long'),
    personalDataDays: Nullable(Type.Integer({
      description: 'The data of buyers are kept for so long after the end of an order; null: for ever'
    })),
    batchDays: Nullable(Type.Integer({ description: 'Batches of offers are kept for so long; null: for ever' })),
    orderDays: Nullable(Type.Integer({ description: 'Orders are kept for so long after their end; null: for ever' })),
    figureMinuteHours: Type.Integer({ description: 'Figures of single minutes are kept for so long' }),
    figureDays: Days('Figures of hours are kept for so long'),
    streamBytes: Type.Integer({ description: 'Redis memory of handled events (LINKER_STREAM_BYTES)' })
  })
}, { $id: 'System' })
export type System = Static<typeof System>
