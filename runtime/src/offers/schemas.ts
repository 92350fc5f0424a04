import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../connections/schemas.ts'

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])
const OfferStatus = Type.Union([Type.Literal('DRAFT'), Type.Literal('ACTIVE'), Type.Literal('INACTIVE'), Type.Literal('ENDED'), Type.Literal('FAILED')])

export const OfferLink = Type.Object({
  connectionId: Id,
  variantId: Id,
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description: 'Id of the offer at the marketplace' })
}, { additionalProperties: false })
export type OfferLink = Static<typeof OfferLink>

export const OfferQuery = Type.Object({
  connectionId: Type.Optional(Id),
  variantId: Type.Optional(Id),
  status: Type.Optional(OfferStatus),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
export type OfferQuery = Static<typeof OfferQuery>

export const OfferView = Type.Object({
  id: Id,
  connectionId: Id,
  variantId: Id,
  externalId: Type.String(),
  status: OfferStatus,
  upstreamStatus: Nullable(Type.String()),
  price: Nullable(Money),
  quantity: Nullable(Type.Integer({ description: 'Quantity that was written to the marketplace last' })),
  frozenFields: Type.Array(Type.String()),
  problems: Type.Array(Type.String()),
  lastSyncedAt: Nullable(Type.String({ format: 'date-time' })),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' })
}, { $id: 'Offer' })
export type OfferView = Static<typeof OfferView>
