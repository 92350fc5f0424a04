import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { ExternalIdFilter, OrderSummary } from '../schemas.ts'

const RetryableStatus = Type.Union([Type.Literal('awaiting_mapping'), Type.Literal('failed')])
const Time = (description: string) => Type.String({ format: 'date-time', description })
const Count = Type.Integer({ minimum: 0 })

export const OrderRetryBody = Type.Object({
  filter: Type.Object({
    connectionId: Type.Optional(Id),
    status: Type.Optional(Type.Array(RetryableStatus, { minItems: 1, maxItems: 2, uniqueItems: true })),
    code: Type.Optional(Type.String({
      pattern: '^[a-z]+(-[a-z]+)*$',
      maxLength: 60,
      description: 'Code of one of its problems, such as `not-created`; `byGroup` of a dry run names the codes'
    })),
    externalId: Type.Optional(ExternalIdFilter),
    since: Type.Optional(Time('First read at this time or later')),
    until: Type.Optional(Time('First read before this time'))
  }, {
    additionalProperties: false,
    minProperties: 1,
    description: 'Which orders; one member at least'
  }),
  dryRun: Type.Boolean({ default: false, description: 'Only tells what a retry would do' })
}, { additionalProperties: false })
export type OrderRetryBody = Static<typeof OrderRetryBody>

const SkipReason = Type.Union([
  Type.Literal('pending'),
  Type.Literal('ready'),
  Type.Literal('created'),
  Type.Literal('shipped'),
  Type.Literal('delivered'),
  Type.Literal('cancelled'),
  Type.Literal('returned'),
  Type.Literal('not-created'),
  Type.Literal('already-retried')
], {
  description: 'The status of the order; `not-created`: no shop, or several, would get it, as its problem says; ' +
    '`already-retried`: an earlier try of this request did it'
})

export const OrderRetrySummary = Type.Object({
  dryRun: Type.Boolean(),
  matched: Type.Integer({ minimum: 0, description: 'Orders that meet the filter' }),
  eligible: Type.Integer({ minimum: 0, description: 'Orders among them that can be retried' }),
  retried: Type.Integer({ minimum: 0, description: 'Orders that were retried; 0 in a dry run' }),
  skipped: Type.Array(Type.Object({ reason: SkipReason, count: Count })),
  byGroup: Type.Array(
    Type.Object({
      connectionId: Id,
      status: RetryableStatus,
      code: Nullable(Type.String({ description: 'Code of the last problem; null without a problem' })),
      count: Count
    }),
    { description: 'The eligible orders, the largest group first' }
  ),
  sample: Type.Array(Type.Ref(OrderSummary), { description: 'The oldest of the eligible orders, ten at most' }),
  atMost: Type.Boolean({
    description: 'There are more than 10 000 orders, and only so many are counted. A retry takes the oldest 10 000'
  })
}, { $id: 'OrderRetrySummary' })
export type OrderRetrySummary = Static<typeof OrderRetrySummary>
