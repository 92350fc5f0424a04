import { Order, Tracking } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'
import { JobStatus, WaitsFor } from '../jobs/schemas.ts'
import { orderProblemPattern, printable } from '../text-patterns.ts'

const Time = Type.String({ format: 'date-time' })

const OrderStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('awaiting_mapping'),
  Type.Literal('ready'),
  Type.Literal('created'),
  Type.Literal('shipped'),
  Type.Literal('delivered'),
  Type.Literal('cancelled'),
  Type.Literal('returned'),
  Type.Literal('failed'),
  Type.Literal('elsewhere')
])

const Since = Type.String({
  format: 'date-time',
  description: 'Only orders that the hub first read at this time or later'
})

export const ExternalIdFilter = Type.String({
  minLength: 1,
  maxLength: 1023,
  pattern: printable,
  description: 'Id of the order at its marketplace'
})

export const OrderQuery = Type.Object({
  connectionId: Type.Optional(Id),
  status: Type.Optional(OrderStatus),
  externalId: Type.Optional(ExternalIdFilter),
  since: Type.Optional(Since),
  problem: Type.Optional(Type.String({
    pattern: orderProblemPattern,
    maxLength: 60,
    description: 'Only orders with a problem of this code, such as `not-created`; `any`: with any problem'
  })),
  newestFirst: Type.Boolean({
    default: false,
    description: 'Lists the orders that the hub read last first; otherwise the first ones'
  }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type OrderQuery = Static<typeof OrderQuery>

const UpdatedSince = Type.String({
  format: 'date-time',
  description: 'Orders that changed at this time or later; absent: those of the last 60 days'
})

export const SweepQuery = Type.Object({
  updatedSince: Type.Optional(UpdatedSince)
}, { additionalProperties: false })

const Destination = Type.Object({
  connectionId: Id,
  externalId: Nullable(Type.String()),
  status: Nullable(Type.String({ description: 'Status of the order in the shop' }))
})

export const OrderSummary = Type.Object({
  id: Id,
  connectionId: Id,
  externalId: Type.String(),
  status: OrderStatus,
  sourceStatus: Type.String({
    description: 'Status at the marketplace; `gone` when the marketplace does not know the order any more'
  }),
  upstreamStatus: Nullable(Type.String({ description: "Status in the marketplace's own words" })),
  total: Order.properties.total,
  reserved: Type.Integer({ description: 'Pieces that the order reserves; other buyers cannot buy them' }),
  handledElsewhere: Nullable(Type.String({
    description: 'Who handles the order in place of the hub, in words: it reserves nothing, and is not made in the shop'
  })),
  problems: Type.Array(Type.String()),
  destination: Nullable(Destination),
  tracking: Nullable(Tracking),
  placedAt: Time,
  personalDataRemovedAt: Nullable(Type.String({
    format: 'date-time',
    description: 'When the data of the buyer were removed; null: the order still has them'
  })),
  createdAt: Time,
  updatedAt: Time
}, { $id: 'OrderSummary' })
export type OrderSummary = Static<typeof OrderSummary>

const Line = Type.Object({
  externalId: Type.String(),
  offerExternalId: Nullable(Type.String()),
  quantity: Type.Integer(),
  variantId: Nullable(Id)
})

const Difference = Type.Object({
  what: Type.String(),
  inShop: Nullable(Type.String()),
  atMarketplace: Nullable(Type.String())
})

const HistoryEntry = Type.Object({
  at: Time,
  event: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown())
})

const AwaitedJob = Type.Object({
  jobId: Id,
  jobType: Type.String(),
  connectionId: Nullable(Type.String({ description: 'The shop' })),
  status: JobStatus,
  ...WaitsFor.properties,
  reason: Nullable(Type.Unsafe<WaitsFor['reason']>({
    ...WaitsFor.properties.reason,
    description: 'Why the job does not run yet; null when it runs'
  }))
})
export type AwaitedJob = Static<typeof AwaitedJob>

export const OrderView = Type.Composite([
  OrderSummary,
  Type.Object({
    waitsFor: Nullable(Type.Object(AwaitedJob.properties, {
      description: 'The job that makes a `ready` order in the shop. Null: the order is not `ready`, or no job is ' +
        'about to make it'
    })),
    snapshot: Order,
    changes: Type.Array(Difference, {
      description: 'How the order at the marketplace differs from what the shop got; null: there is none'
    }),
    lines: Type.Array(Line),
    history: Type.Array(HistoryEntry)
  })
], { $id: 'Order' })
export type OrderView = Static<typeof OrderView>
