import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'
import { findable } from '../text-patterns.ts'

const DateTime = Type.String({ format: 'date-time' })

export const OfferWarnings = Type.Array(
  Type.Object({
    code: Type.Union([Type.Literal('stock-frozen'), Type.Literal('oversell')]),
    message: Type.String()
  }),
  {
    description: 'Problems that the hub cannot repair: frozen stock, and offers of more than the master has'
  }
)

export const StockView = Type.Object({
  variantId: Id,
  name: Nullable(Type.String({ description: 'Name of the product, and of the variant when there are others' })),
  sku: Nullable(Type.String()),
  ean: Nullable(Type.String()),
  quantity: Type.Integer({
    description: 'Quantity at the last reading of the master shop. 100 for a stock that it does not count'
  }),
  reserved: Type.Integer({
    description: 'Pieces sold at marketplaces that the master has not yet subtracted, of all variants of a shared stock'
  }),
  isCounted: Type.Boolean({
    description: 'False: the master can always deliver. Offers show their `maxListed`, or `quantity` without one'
  }),
  isSellable: Type.Boolean({
    description: 'False: the shop has switched the product off, or takes no orders for it. Offers show 0'
  }),
  confirmedQuantity: Nullable(Type.Integer({
    description: 'What the offers go by in place of `quantity`, which jumped and waits for `confirmStock`. Null: ' +
      'nothing waits'
  })),
  jumpedAt: Nullable(Type.String({ format: 'date-time', description: 'When `quantity` jumped' })),
  sharedStockId: Nullable(Type.String({
    ...Id,
    description: 'Variants with the same id sell from one stock; null when the variant has its own'
  })),
  version: Type.Integer({ description: 'Grows by one at every change of `quantity`, `reserved` or `isSellable`' }),
  missingSince: Nullable(Type.String({
    format: 'date-time',
    description: 'Time since which the master shop does not have the variant any more'
  })),
  updatedAt: DateTime,
  offers: Type.Array(Type.Object({
    offerId: Id,
    connectionId: Id,
    wantedQuantity: Type.Integer({
      description: 'Quantity that the offer should show: `quantity` less `reserved` and the buffer, ' +
        'at least zero and at most `maxListed`; 0 when the shop does not sell the variant'
    }),
    sentQuantity: Nullable(Type.Integer({ description: 'Quantity that the hub last wrote' })),
    upstreamQuantity:
      Nullable(Type.Integer({ description: 'Quantity that the marketplace showed since the last write' })),
    drift: Nullable(Type.Integer({ description: '`wantedQuantity` less `sentQuantity`; null when none was written' })),
    warnings: OfferWarnings
  }))
}, { $id: 'Stock' })
export type StockView = Static<typeof StockView>

const StockConnection = Type.String({
  ...Id,
  description: 'Only variants that this master shop has or this marketplace offers'
})
const Drift = Type.Boolean({
  description:
    '`true`: only variants with an offer whose last write is missing or differs from the wanted quantity, or whose ' +
    'marketplace shows another quantity than the last write'
})

const FoundVariants = Type.String({
  maxLength: 200,
  pattern: findable,
  description:
    'Only variants with this EAN, product id of the shop, or beginning of a name or SKU. Names and SKUs are ' +
    'found in any case, ids only as they are'
})

export const StockQuery = Type.Object({
  variantId: Type.Optional(Id),
  connectionId: Type.Optional(StockConnection),
  drift: Type.Optional(Drift),
  jumped: Type.Optional(Type.Boolean({
    description: '`true`: only variants whose stock has jumped and waits for a person'
  })),
  q: Type.Optional(FoundVariants),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type StockQuery = Static<typeof StockQuery>

export const ConfirmBody = Type.Object({
  variantId: Type.Optional(Type.String({ ...Id, description: 'This variant, and those that share its stock' })),
  connectionId: Type.Optional(Type.String({ ...Id, description: 'All variants of this shop' }))
}, { additionalProperties: false, minProperties: 1, maxProperties: 1, description: 'One of the members' })

export const StockConfirmation = Type.Object({
  confirmed: Type.Integer({ description: 'How many variants waited' }),
  jobIds: Type.Array(Id, { description: 'The jobs that write their offers' })
}, { $id: 'StockConfirmation' })
export type StockConfirmation = Static<typeof StockConfirmation>

export const SweepView = Type.Object({
  id: Id,
  connectionId: Id,
  status: Type.Union([
    Type.Literal('running'),
    Type.Literal('complete'),
    Type.Literal('held'),
    Type.Literal('abandoned')
  ], {
    description: '`held`: too many variants were missing, so none was set to zero; ' +
      '`abandoned`: the sweep could not continue, so the next one starts again'
  }),
  problem: Nullable(Type.String()),
  phase: Type.String(),
  pages: Type.Integer(),
  seen: Type.Integer({ description: 'Number of variants' }),
  changed: Type.Integer(),
  missing: Type.Integer(),
  startedAt: DateTime,
  finishedAt: Nullable(DateTime)
}, { $id: 'InventorySweep' })
export type SweepView = Static<typeof SweepView>

export const SweepQuery = Type.Object({
  connectionId: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type SweepQuery = Static<typeof SweepQuery>
