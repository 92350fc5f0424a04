import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { orderProblemPattern } from '../../text-patterns.ts'
import { ExternalIdFilter, OrderSummary } from '../schemas.ts'
import { retryableStatuses, skipReasons } from './reasons.ts'

const RetryableStatus = Type.Union(retryableStatuses.map(status => Type.Literal(status)))
const Time = (description: string) => Type.String({ format: 'date-time', description })
const Count = Type.Integer({ minimum: 0 })

export const OrderRetryBody = Type.Object({
  filter: Type.Object({
    connectionId: Type.Optional(Id),
    status: Type
      .Optional(Type.Array(RetryableStatus, { minItems: 1, maxItems: retryableStatuses.length, uniqueItems: true })),
    code: Type.Optional(Type.String({
      pattern: orderProblemPattern,
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
  after: Type.Optional(Type.String({
    ...Id,
    description: 'Only the orders behind this one: `next` of an answer to the same filter'
  })),
  dryRun: Type.Boolean({ default: false, description: 'Only tells what a retry would do' })
}, { additionalProperties: false })
export type OrderRetryBody = Static<typeof OrderRetryBody>

const SkipReason = Type.Union(skipReasons.map(reason => Type.Literal(reason)), {
  description: 'The status of the order; `not-created`: no shop, or several, would get it, as its problem says; ' +
    '`already-retried`: an earlier try of this request did it; `connection-deleted`, `connection-disabled`: its ' +
    'marketplace is; `retry-failed`: the hub failed, and its log shows the error'
})

export const OrderRetrySummary = Type.Object({
  dryRun: Type.Boolean(),
  matched: Type.Integer({
    minimum: 0,
    description: 'Orders that meet the filter; those that cannot be retried are left out when it has `code` without ' +
      '`externalId`, and with `after`'
  }),
  eligible: Type.Integer({ minimum: 0, description: 'Orders among them that can be retried' }),
  retried: Type.Integer({ minimum: 0, description: 'Orders that were retried; 0 in a dry run' }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      'Eligible orders that the request did not reach; 0 in a dry run. Others may follow when `next` is not null'
  }),
  next: Nullable(Type.String({
    ...Id,
    description: 'The last order that was reached, when others follow. Send it as `after` to go on behind it'
  })),
  skipped: Type.Array(Type.Object({ reason: SkipReason, count: Count })),
  byGroup: Type.Array(
    Type.Object({
      connectionId: Id,
      status: RetryableStatus,
      code: Nullable(Type.String({ description: 'Code of the last problem; null without a problem' })),
      count: Count
    }),
    { description: 'The eligible orders that the request reached, the largest group first' }
  ),
  sample: Type.Array(Type.Ref(OrderSummary), { description: 'The oldest of the eligible orders, ten at most' }),
  atMost: Type.Boolean({
    description: 'There are more orders than are counted (10 000), or than the request had time for (20 seconds). It ' +
      'takes the oldest; `next` leads to the others'
  })
}, { $id: 'OrderRetrySummary' })
export type OrderRetrySummary = Static<typeof OrderRetrySummary>
