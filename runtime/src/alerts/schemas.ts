import { Type, type Static } from '@sinclair/typebox'
import { AttentionItem } from '../attention/schemas.ts'
import { Nullable } from '../http/schemas.ts'

const Time = Type.String({ format: 'date-time' })
const ChannelMember = Type.Union([Type.Literal('webhook'), Type.Literal('mail')])

export const AlertList = Type.Object({
  channels: Type.Array(
    Type.Object({
      channel: ChannelMember,
      failures: Type.Integer({ description: 'Messages that failed one after the other' }),
      failingSince: Nullable(Time),
      problem: Nullable(Type.String({ description: 'Why the last message failed' })),
      lastSentAt: Nullable(Time)
    }),
    { description: 'The channels that the settings name. Empty: nobody is told' }
  ),
  open: Type.Array(
    Type.Object({
      ...AttentionItem.properties,
      told: Type.Array(Type.Object({ channel: ChannelMember, at: Time }), {
        description: 'The channels on which it was told, with the time of the last message'
      }),
      quiet: Type.Array(Type.Object({ channel: ChannelMember, until: Time }), {
        description: 'The channels that told its end a short time ago and tell it again only after this time'
      })
    }),
    { description: 'What needs a person now, the gravest first' }
  )
}, { $id: 'Alerts' })
export type AlertList = Static<typeof AlertList>

export const AlertTest = Type.Object({
  channel: ChannelMember,
  success: Type.Boolean(),
  latencyMs: Type.Integer(),
  message: Type.String({ description: 'Why the test did not arrive' })
}, { $id: 'AlertTest' })
export type AlertTest = Static<typeof AlertTest>
