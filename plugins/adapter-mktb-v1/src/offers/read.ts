import { Nullable, TransientError, type Offer } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { hubName, toMoney } from './fields.ts'

/** The members of the marketplace's product that the adapter reads. Other members come and go. */
const Product = Type.Object({
  externalId: Type.String({ minLength: 1 }),
  name: Nullable(Type.String()),
  sku: Nullable(Type.String()),
  ean: Nullable(Type.String()),
  price: Nullable(Type.Integer()),
  stock: Nullable(Type.Integer()),
  status: Nullable(Type.String()),
  archived: Nullable(Type.Boolean()),
  frozen: Nullable(Type.Record(Type.String(), Type.Unknown())),
  buyableProblems: Nullable(Type.Array(Type.String()))
})

/** The members that a search asks for. */
export const offerMembers = Object.keys(Product.properties)

/** Reads an offer from a product of the marketplace's cache, which is up to 20 minutes old. */
export function readOffer (product: unknown): Offer {
  if (!Value.Check(Product, product)) {
    const { path = '', message = '' } = Value.Errors(Product, product).First() ?? {}
    throw new TransientError(`the marketplace described the offer in an unknown form (${path}: ${message})`)
  }
  const frozen = Object.entries(product.frozen ?? {}).filter(([, isFrozen]) => isFrozen === true)
  return {
    externalId: product.externalId,
    // The seller chooses this id: an offer of the hub carries the id of its variant.
    reference: product.externalId,
    sku: product.sku || undefined,
    ean: product.ean || undefined,
    status: statusOf(product),
    upstreamStatus: product.status ?? undefined,
    title: product.name ?? undefined,
    price: typeof product.price === 'number' ? toMoney(product.price) : undefined,
    quantity: product.stock ?? undefined,
    frozenFields: frozen.map(([name]) => hubName(name)),
    problems: product.buyableProblems ?? []
  }
}

// An active offer that cannot be bought at the moment stays active; its problems say why.
function statusOf (product: Static<typeof Product>): Offer['status'] {
  if (product.archived === true) return 'ENDED'
  return product.status === 'active' ? 'ACTIVE' : 'INACTIVE'
}
