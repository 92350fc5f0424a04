import { Recording } from '@linker/sdk/host'
import { Type, type Static } from '@sinclair/typebox'
import { UpstreamCall } from '../../jobs/schemas.ts'
import { printable } from '../../text-patterns.ts'

const mostArguments = 10
const longestName = 100
const mostPages = 100
const Name = Type.String({ minLength: 1, maxLength: longestName, pattern: printable })

const Calls = Type.Object({
  // Ajv fills in no default below a union.
  pages: Type.Optional(Type.Integer({
    minimum: 1,
    maximum: mostPages,
    description: 'Follow the cursors of a listing for this many pages. Absent: for one'
  })),
  twice: Type.Optional(Type.Boolean({
    description: 'Call again with the same arguments, as the hub repeats a job'
  }))
}, { additionalProperties: false })

export const InvocationBody = Type.Object({
  capability: Name,
  method: Name,
  args: Type.Array(Type.Unknown(), {
    default: [],
    maxItems: mostArguments,
    description: 'The arguments of the method, in their order'
  }),
  dryRun: Type.Boolean({
    default: false,
    description: 'Send only GET and HEAD requests, and show those that could change something'
  }),
  record: Type.Union([Type.Boolean(), Calls], {
    default: false,
    description: 'Answer the requests of a call that succeeds and their answers, without secrets and with made-up ' +
      'personal data. An object makes several calls and one recording of them, in which one person or secret is ' +
      'the same in all; `value` is that of the last call'
  })
}, { additionalProperties: false })
export type InvocationBody = Static<typeof InvocationBody>

const SentRequest = Type.Object({
  ...UpstreamCall.properties,
  sent: Type.Boolean({ description: 'False: the dry run did not send it' }),
  query: Type.Optional(Type.String({ description: 'Only of a request that was not sent' })),
  body: Type.Optional(Type.String({
    description: 'Only of a request that was not sent: its first 16 384 characters. Secrets are redacted'
  }))
})
export type SentRequest = Static<typeof SentRequest>

const Effects = Type.Object({
  cursors: Type.Record(Type.String(), Type.String()),
  jobs: Type.Array(Type.Object({
    jobType: Type.String(),
    payload: Type.Record(Type.String(), Type.Unknown()),
    key: Type.String(),
    delayMs: Type.Optional(Type.Integer())
  }))
})

export const Invocation = Type.Object({
  adapter: Type.String({ description: 'The adapter key and version that answered' }),
  dryRun: Type.Boolean(),
  success: Type.Boolean({ description: 'Whether the method returned' }),
  value: Type.Optional(Type.Unknown({
    description: 'What the method returned. Secrets of the connection are redacted'
  })),
  error: Type.Optional(Type.Object({
    code: Type.String(),
    message: Type.String(),
    fields: Type.Optional(Type.Unknown({ description: 'The members that the platform refused' }))
  })),
  latencyMs: Type.Integer({ minimum: 0 }),
  requests: Type.Array(SentRequest, {
    description:
      'The requests to the platform, each repetition for itself; the first 100, and 100 more that were not sent'
  }),
  effects: Type.Optional(Effects),
  recording: Type.Optional(Recording)
}, { $id: 'Invocation' })
export type Invocation = Static<typeof Invocation>
