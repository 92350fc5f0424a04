import { TransientError, type Offer } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Nullable } from './nullable.ts'
import { hubName, toMoney } from './offer-fields.ts'

/** The members of the marketplace's product that are read. Others come and go. */
const Product = Type.Object({
  externalId: Type.String({ minLength: 1 }),
  name: Nullable(Type.String()),
  price: Nullable(Type.Integer()),
  stock: Nullable(Type.Integer()),
  status: Nullable(Type.String()),
  archived: Nullable(Type.Boolean()),
  frozen: Nullable(Type.Record(Type.String(), Type.Unknown())),
  buyableProblems: Nullable(Type.Array(Type.String()))
})

/** What a search is asked for. */
export const offerMembers = Object.keys(Product.properties)

/** The offer of a product as the marketplace's cache has it, up to 20 minutes old. */
export function readOffer (product: unknown): Offer {
  if (!Value.Check(Product, product)) {
    const problem = Value.Errors(Product, product).First()
    throw new TransientError(`the marketplace described the offer in an unknown form (${problem?.path ?? ''}: ${
      problem?.message ?? ''
    })`)
  }
  return {
    externalId: product.externalId,
    // The seller chose it: an offer of the hub goes by the id of its variant.
    reference: product.externalId,
    status: statusOf(product),
    ...(typeof product.status === 'string' ? { upstreamStatus: product.status } : {}),
    ...(typeof product.name === 'string' ? { title: product.name } : {}),
    ...(typeof product.price === 'number' ? { price: toMoney(product.price) } : {}),
    ...(typeof product.stock === 'number' ? { quantity: product.stock } : {}),
    frozenFields: Object.entries(product.frozen ?? {}).filter(([, isFrozen]) => isFrozen === true).map(([name]) =>
      hubName(name)
    ),
    problems: product.buyableProblems ?? []
  }
}

// An active offer that cannot be bought for the moment stays active; its problems say why.
function statusOf (product: Static<typeof Product>): Offer['status'] {
  if (product.archived === true) return 'ENDED'
  return product.status === 'active' ? 'ACTIVE' : 'INACTIVE'
}
