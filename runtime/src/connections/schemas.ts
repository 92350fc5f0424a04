import { adapterKeyPattern, platformTypePattern } from '@linker/sdk'
import { connectionNamePattern } from '@linker/sdk/host'
import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { credentialsRefPattern } from '../text-patterns.ts'
import { Pause, StopReason } from './pauses/schemas.ts'
import { ConnectionSettings, SettingsPatch } from './settings/schema.ts'

const Status = Type.Union([Type.Literal('active'), Type.Literal('disabled'), Type.Literal('error')])
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: connectionNamePattern.source,
  description: 'Display name: one line of text that does not start with a space'
})
const PlatformType = Type.String({ pattern: platformTypePattern })
export const AdapterKey = Type.String({ pattern: adapterKeyPattern })
export const AdapterVersion = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Exact version, SemVer range or `latest`. The creation stores the exact version that it chose.'
})
const ConfigObject = Type.Record(Type.String(), Type.Unknown())
const CapabilityNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { uniqueItems: true, maxItems: 50 })
// Some platforms have only an API key: a bare string is that key.
const Credentials = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String({ minLength: 1 })])

export const ConnectionBody = Type.Object({
  name: Name,
  platformType: PlatformType,
  adapterKey: Type.Optional(AdapterKey),
  adapterVersion: Type.Optional(AdapterVersion),
  status: Type.Optional(Status),
  capabilities: Type.Optional(CapabilityNames),
  config: Type.Optional(ConfigObject),
  settings: Type.Optional(ConnectionSettings),
  credentials: Type.Optional(Credentials),
  credentialsRef: Type.Optional(Type.String({ pattern: credentialsRefPattern })),
  allowSameAccount: Type.Optional(Type.Boolean({
    description: 'Make the connection although another one opens the same account; only the other one takes its orders'
  })),
  takeOver: Type.Optional(Type.String({
    format: 'uuid',
    description:
      'The id of a deleted connection to the same account. The new one takes over its orders, links, limits ' +
      'and cursors. Without it, the hub makes no order in the shop that was placed before the connection was made'
  })),
  paused: Type.Optional(Type.Boolean({
    description: 'Pause the whole connection from the start: none of its jobs calls the platform before ' +
      '`POST /connections/{id}/resume`'
  }))
}, { additionalProperties: false })
export type ConnectionBody = Static<typeof ConnectionBody>

export const ConnectionPatch = Type.Object({
  name: Type.Optional(Name),
  status: Type.Optional(Status),
  adapterKey: Type.Optional(AdapterKey),
  adapterVersion: Type.Optional(AdapterVersion),
  capabilities: Type.Optional(CapabilityNames),
  config: Type.Optional(ConfigObject),
  settings: Type.Optional(SettingsPatch)
}, { additionalProperties: false, minProperties: 1 })
export type ConnectionPatch = Static<typeof ConnectionPatch>

export const DisableBody = Type.Object({ reason: Type.Optional(StopReason) }, { additionalProperties: false })

export const CredentialsBody = Type.Object({ credentials: Credentials }, { additionalProperties: false })

/** For changes that are made while no job of the connection runs. */
export const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: 30,
  default: 30,
  description: 'Time that running jobs of the connection have to end'
})

/** The version of the connection that the caller read, as `ETag` gave it. */
export const IfMatch = Type.Object({ 'if-match': Type.Optional(Type.String({ maxLength: 100 })) })

export const Warning = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() })

export const ConnectionView = Type.Object({
  id: Id,
  platformType: Type.String(),
  name: Type.String(),
  status: Status,
  statusReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the connection is in error, why an operator disabled it, or why no adapter serves it'
  }),
  config: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was written, without secrets' }),
  effectiveConfig: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: 'As the adapter gets it: `config` with the defaults of its schema. Answers about one connection ' +
      'have it, unless no adapter serves the connection'
  })),
  settings: Type.Composite([ConnectionSettings], {
    description: "The hub's own settings, as they were written. An absent one has its default"
  }),
  credentialsRef: Type.Union([Type.String(), Type.Null()]),
  adapterKey: Type.String(),
  adapterVersion: Type.Union([Type.String(), Type.Null()]),
  capabilities: Type.Array(Type.String()),
  account: Type.Union([
    Type.Object({
      name: Type.Union([Type.String(), Type.Null()], { description: 'Null: it is that of a person' }),
      takesOrders: Type.Boolean({ description: 'False: another connection to the account takes its orders' })
    }),
    Type.Null()
  ], { description: 'The account that it opens. Null: the platform has not named it yet' }),
  ordersSince: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'The hub makes no order in the shop that was placed before. Null: it makes all'
  }),
  pauses: Type.Array(Pause, { description: 'The pauses that stand, the one of the whole connection first' }),
  webhooksConfigured: Type.Boolean({
    description: 'Whether the environment holds a webhook secret or the last install of webhooks succeeded'
  }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  warnings: Type
    .Optional(Type.Array(Warning, {
      description:
        'Members of `config` that the adapter does not know, which the hub keeps, and deprecated ones; after ' +
        'the creation also `deleted-account`, when a deleted connection to the account can be taken over, and ' +
        '`account-unknown`'
    }))
}, { $id: 'Connection' })
export type ConnectionView = Static<typeof ConnectionView>

export const ConnectionQuery = Type.Object({
  platformType: Type.Optional(PlatformType),
  status: Type.Optional(Status),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type ConnectionQuery = Static<typeof ConnectionQuery>

export const ConnectionTest = Type.Object({
  success: Type.Boolean(),
  status: Type.Optional(Type.Integer({ description: "HTTP status of the platform's answer, when there was one" })),
  message: Type.String(),
  latencyMs: Type.Integer(),
  checks: Type
    .Array(Type.Object({
      name: Type.String(),
      ok: Type.Boolean(),
      ms: Type.Integer(),
      hint: Type.Optional(Type.String())
    }))
}, { $id: 'ConnectionTest' })
export type ConnectionTest = Static<typeof ConnectionTest>
