import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'
import { OfferWarnings } from '../stock/schemas.ts'
import { findable, printable } from '../text-patterns.ts'
import { OfferProblemCode } from './problem-codes.ts'

const OfferStatus = Type.Union([
  Type.Literal('DRAFT'),
  Type.Literal('ACTIVE'),
  Type.Literal('INACTIVE'),
  Type.Literal('ENDED'),
  Type.Literal('FAILED')
])

const largestQuantity = 2_147_483_647
const Buffer = Type.Integer({
  minimum: 0,
  maximum: largestQuantity,
  description: 'Pieces of the stock that the offer does not show'
})
const MaxListed = Nullable(Type.Integer({
  minimum: 0,
  maximum: largestQuantity,
  description: 'Largest quantity that the offer shows; null: no limit'
}))

const OfferExternalId = Type.String({
  minLength: 1,
  maxLength: 1023,
  pattern: printable,
  description: 'Id of the offer at the marketplace'
})

export const OfferLink = Type.Object({
  connectionId: Id,
  variantId: Id,
  externalId: OfferExternalId,
  buffer: Type.Optional(Buffer),
  maxListed: Type.Optional(MaxListed)
}, { additionalProperties: false })
export type OfferLink = Static<typeof OfferLink>

export const OfferLimits = Type.Object({ buffer: Type.Optional(Buffer), maxListed: Type.Optional(MaxListed) }, {
  additionalProperties: false,
  minProperties: 1
})
export type OfferLimits = Static<typeof OfferLimits>

const code = { minLength: 1, maxLength: 1023, pattern: printable }
const Sku = Type.String({
  ...code,
  description: 'Only offers of variants with this SKU, in any case; of unlinked offers, those that show it'
})
const Ean = Type.String({
  ...code,
  description:
    'Only offers of variants with this EAN; of unlinked offers, those that show it. Zeros before it do not ' +
    'count: a UPC is an EAN with a zero before it'
})

export const OfferQuery = Type.Object({
  connectionId: Type.Optional(Id),
  variantId: Type.Optional(Id),
  externalId: Type.Optional(OfferExternalId),
  sku: Type.Optional(Sku),
  ean: Type.Optional(Ean),
  status: Type.Optional(OfferStatus),
  problem: Type.Optional(Type.Union([
    Type.Literal('any'),
    ...OfferProblemCode.anyOf
  ], { description: 'Only offers with a problem of this kind; `marketplace`: one that the marketplace shows' })),
  warning: Type.Optional(Type.Union([Type.Literal('stock-frozen'), Type.Literal('oversell')], {
    description: 'Only offers with this warning'
  })),
  q: Type.Optional(Type.String({
    maxLength: 200,
    pattern: findable,
    description: 'Only offers with this id at the marketplace, and offers of variants with this EAN, product id of ' +
      'the shop, or beginning of a name or SKU. Names and SKUs are found in any case, ids only as they are'
  })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type OfferQuery = Static<typeof OfferQuery>

export const OfferView = Type.Object({
  id: Id,
  connectionId: Id,
  variantId: Id,
  variant: Type.Object({
    name: Nullable(Type.String({ description: 'Name of the product, and of the variant when there are others' })),
    sku: Nullable(Type.String()),
    ean: Nullable(Type.String())
  }, { description: 'The variant as its shop names it' }),
  externalId: Type.String(),
  status: OfferStatus,
  upstreamStatus: Nullable(Type.String()),
  title: Nullable(Type.String({
    description: 'Title that the hub last wrote; null when it wrote none'
  })),
  price: Nullable(Money),
  quantity: Nullable(Type.Integer({ description: 'Quantity that the hub last wrote' })),
  upstreamQuantity: Nullable(Type.Integer({
    description: 'Quantity that the marketplace showed since the last write; null while no reading could see that write'
  })),
  buffer: Type.Integer(),
  maxListed: Nullable(Type.Integer()),
  frozenFields: Type.Array(Type.String()),
  warnings: OfferWarnings,
  problems: Type.Array(Type.String()),
  lastSyncedAt: Nullable(Type.String({ format: 'date-time' })),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' })
}, { $id: 'Offer' })
export type OfferView = Static<typeof OfferView>

export const UnlinkedOfferQuery = Type.Pick(
  OfferQuery,
  ['connectionId', 'externalId', 'sku', 'ean', 'limit', 'cursor'],
  {
    additionalProperties: false
  }
)
export type UnlinkedOfferQuery = Static<typeof UnlinkedOfferQuery>

export const UnlinkedOfferView = Type.Object({
  id: Id,
  connectionId: Id,
  externalId: Type.String(),
  reference: Nullable(Type.String({ description: "The seller's own id of the offer, if the marketplace keeps one" })),
  sku: Nullable(Type.String()),
  ean: Nullable(Type.String()),
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE')]),
  upstreamStatus: Nullable(Type.String()),
  title: Nullable(Type.String()),
  price: Nullable(Money),
  quantity: Nullable(Type.Integer({ description: 'Quantity that the marketplace showed' })),
  seenAt: Nullable(Type.String({ format: 'date-time' })),
  createdAt: Type.String({ format: 'date-time' })
}, { $id: 'UnlinkedOffer' })
export type UnlinkedOfferView = Static<typeof UnlinkedOfferView>
