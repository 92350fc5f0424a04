import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'

const AcceptMissing = Type.Boolean({
  description: 'Accept that variants are gone when the next sweep of this master shop does not see them, however many'
})

export const ReconcileBody = Type.Object({
  connectionId: Type.Optional(Id),
  acceptMissing: Type.Optional(AcceptMissing),
  dryRun: Type.Optional(Type.Boolean({ description: 'Only list what would change at this connection; change nothing' }))
}, { additionalProperties: false })
export type ReconcileBody = Static<typeof ReconcileBody>

const Change = Type.Object({
  externalId: Type.String({ description: 'Id of the variant in the master shop, or of the offer at the marketplace' }),
  productExternalId: Type.Optional(Type.String()),
  from: Nullable(Type.Integer()),
  to: Type.Integer()
})

const Because = Type.Union([
  Type.Literal('frozen', { description: 'the seller froze the stock at the marketplace' }),
  Type.Literal('refused', {
    description: 'the marketplace refused the quantity; a change of the stock or `POST /offers/{id}/refresh` ' +
      'retries it, else a comparison after an hour'
  }),
  Type.Literal('under-way', { description: 'a job is about to write it' }),
  Type.Literal('not-created', { description: 'the marketplace does not have the offer yet' }),
  Type.Literal('wished', { description: 'the request that created the offer chose this quantity' })
])
const Keep = Type.Composite([Change, Type.Object({ because: Because })])

export const ReconcilePreview = Type.Object({
  connectionId: Id,
  complete: Type.Boolean({ description: 'Whether the hub could read everything in the time of a request' }),
  seen: Type.Integer({
    description: 'Number of variants that the shop listed, or of offers that the marketplace showed'
  }),
  changes: Type.Array(Change, { description: 'The first 200' }),
  changed: Type.Integer(),
  keeps: Type.Array(Keep, {
    description: 'The first 200 offers that show a wrong quantity but that the hub leaves unchanged'
  }),
  kept: Type.Integer(),
  linked: Type.Integer({ description: 'Offers that the hub would link to a variant by their reference' }),
  missing: Type.Integer({ description: 'Variants that the master shop did not list; known only when `complete`' }),
  missingVariants: Type.Array(
    Type.Object({
      variantId: Id,
      name: Nullable(Type.String()),
      sku: Nullable(Type.String()),
      productExternalId: Type.String(),
      externalId: Type.String(),
      quantity: Type.Integer({ description: 'Quantity that a sweep would set to zero' })
    }),
    { description: 'The first 200 of the missing variants' }
  ),
  held: Type.Boolean({ description: 'Too many are missing: a sweep sets none to zero without `acceptMissing`' })
}, { $id: 'ReconcilePreview' })
export type ReconcilePreview = Static<typeof ReconcilePreview>
