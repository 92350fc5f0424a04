import { Description, DispatchTime, Money, OfferPatch } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'

const largestQuantity = 2_147_483_647
const longestText = 80_000

const Overrides = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  description: Type.Optional(Description),
  imageUrls: Type.Optional(Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 200 })),
  dispatchTime: Type.Optional(DispatchTime)
}, { additionalProperties: false, description: 'Values of the offer that replace those of the shop' })

const FirstQuantity = Type.Integer({
  minimum: 0,
  maximum: largestQuantity,
  description: 'First quantity of the offer; default: that of the master. The next change of the master replaces it'
})

const Listing = Type.Object({
  stock: Type.Optional(FirstQuantity),
  price: Type.Optional(Money),
  publishImmediately: Type
    .Optional(Type.Boolean({ description: 'Whether buyers can buy the offer at once. Default true' })),
  overrides: Type.Optional(Overrides)
})

/** The values of an offer that do not come from the shop. */
export type Listing = Static<typeof Listing>

export const ProductListingBody = Type.Composite([Listing], { additionalProperties: false })
export const OfferBody = Type.Composite([Type.Object({ variantId: Id }), Listing], { additionalProperties: false })

const BulkItem = Type.Composite(
  [Type.Object({ variantId: Type.Optional(Id), productId: Type.Optional(Id) }), Listing],
  { additionalProperties: false }
)
export type BulkItem = Static<typeof BulkItem>

export const BulkBody = Type.Object({
  connectionId: Id,
  items: Type.Array(BulkItem, {
    minItems: 1,
    maxItems: 100,
    description: 'Each names a variant, or a product with all of its variants'
  }),
  defaults: Type.Optional(ProductListingBody)
}, { additionalProperties: false })
export type BulkBody = Static<typeof BulkBody>

/** The specification, section 2.7. */
export const OfferFieldsBody = Type.Composite([
  OfferPatch,
  Type.Object({
    confirm: Type.Optional(Type.Boolean({
      description: 'Change the price also by 30 % or more. Without it, the answer is 409 with the old and new price'
    }))
  })
], {
  additionalProperties: false,
  minProperties: 1,
  description: `At least one member. Texts of at most ${longestText} characters`
})

export const JobReference = Type.Object({ jobId: Id }, { $id: 'JobReference' })

export const OfferCreation = Type.Object({
  variantId: Id,
  offerId: Id,
  status: Type.String(),
  jobId: Type.Optional(Type.String({ format: 'uuid', description: 'Absent when the variant was already listed' })),
  reason: Type.Optional(Type.String())
}, { $id: 'OfferCreation' })
export type OfferCreation = Static<typeof OfferCreation>

const Item = Type.Object({ variantId: Type.Optional(Id), productId: Type.Optional(Id) })

export const BatchCreation = Type.Object({
  batchId: Id,
  jobIds: Type.Array(Id),
  skipped: Type.Array(Type.Object({ item: Item, variantId: Id, offerId: Id, reason: Type.String() }))
}, { $id: 'BatchCreation' })
export type BatchCreation = Static<typeof BatchCreation>

const Field = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() })

const Problem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  fields: Type.Optional(Type.Array(Field))
})

export const BatchView = Type.Object({
  id: Id,
  connectionId: Id,
  status: Type.Union([Type.Literal('running'), Type.Literal('succeeded'), Type.Literal('failed')], {
    description: 'running: some items have not ended; failed: all have ended and some of them failed'
  }),
  total: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  items: Type.Array(Type.Object({
    item: Item,
    variantId: Id,
    offerId: Id,
    jobId: Id,
    status: Type.Union([
      Type.Literal('queued'),
      Type.Literal('running'),
      Type.Literal('waiting'),
      Type.Literal('succeeded'),
      Type.Literal('dead'),
      Type.Literal('cancelled')
    ]),
    problem: Type.Optional(Problem)
  })),
  createdAt: Type.String({ format: 'date-time' })
}, { $id: 'OfferBatch' })
export type BatchView = Static<typeof BatchView>
