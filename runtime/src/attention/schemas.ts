import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'

/** The kinds of items that may need a person, in the order of docs/monitoring.md. */
export const attentionKinds = [
  'no-worker',
  'mixed-streams',
  'disk-space',
  'dead-messages',
  'credentials-unreadable',
  'connection-error',
  'adapter-away',
  'account-shared',
  'breaker-open',
  'platform-resting',
  'pause-open',
  'dead-jobs',
  'waiting-redrive',
  'late-jobs',
  'held-sweep',
  'stock-jumps',
  'oversell',
  'refused-quantities',
  'lost-offers',
  'shared-references',
  'failed-orders',
  'unmapped-orders',
  'stuck-orders',
  'troubled-orders',
  'late-shipments',
  'untold-shipments',
  'unread-shops',
  'refused-webhooks',
  'unreached-webhooks',
  'silent-webhooks',
  'ignored-events',
  'ending-token',
  'ending-credentials',
  'schedules-off',
  'unsafe-setting',
  'alert-channel',
  'no-alert-channel',
  'unchecked'
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** The gravest first. */
export const attentionSeverities = ['error', 'warning', 'info'] as const
export type AttentionSeverity = (typeof attentionSeverities)[number]

const Kind = Type.Union(attentionKinds.map(kind => Type.Literal(kind)))
export const Severity = Type.Union(attentionSeverities.map(severity => Type.Literal(severity)), {
  description: '`error`: something does not work; `warning`: look at it soon; `info`: good to know'
})

export const AttentionItem = Type.Object({
  key: Type.String({ description: 'Names the same thing in every answer, as long as it lasts' }),
  kind: Kind,
  severity: Severity,
  since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null: the hub does not know'
  }),
  count: Type.Integer({ description: 'How many there are of it; the hub stops counting at a limit' }),
  connectionId: Type.Optional(Id),
  connectionName: Type.Optional(Type.String()),
  title: Type.String(),
  detail: Type.String({ description: 'The cause and the next action' }),
  code: Type.Optional(Type.String({ description: 'The code of the problem' })),
  target: Type.String({ description: 'The path of the API at which to look' })
}, { $id: 'AttentionItem' })
export type AttentionItem = Static<typeof AttentionItem>
