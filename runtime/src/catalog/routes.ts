import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { NotFoundError, VariantNotFoundError } from '../errors.ts'
import { decodeCursor, linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { printable } from '../text-patterns.ts'
import type { Product, Variant } from './entity.ts'
import { findProduct, findVariant, listProducts, listVariants } from './store.ts'

const NullableString = Type.Union([Type.String(), Type.Null()])
const MissingSince = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'Time since which the master shop does not list it; null while the shop lists it'
})

const VariantView = Type.Object({
  id: Id,
  productId: Id,
  externalId: Type.String(),
  name: NullableString,
  sku: NullableString,
  ean: NullableString,
  price: Type.Union([Money, Type.Null()], { description: 'What a buyer pays in the shop today, promotions included' }),
  regularPrice: Type.Union([Money, Type.Null()], { description: 'Price without the promotion; null without one' }),
  isSellable: Type.Boolean({ description: 'False while the shop does not sell it, whatever its stock' }),
  imageUrls: Type.Array(Type.String()),
  missingSince: MissingSince
}, { $id: 'Variant' })

const ProductView = Type.Object({
  id: Id,
  connectionId: Id,
  externalId: Type.String(),
  name: NullableString,
  description: NullableString,
  isActive: Type.Union([Type.Boolean(), Type.Null()]),
  imageUrls: Type.Array(Type.String()),
  missingSince: MissingSince,
  variants: Type.Array(Type.Ref(VariantView)),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' })
}, { $id: 'Product' })

const ProductQuery = Type.Object({
  connectionId: Type.Optional(Id),
  externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 1023, pattern: printable })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(VariantView)
  app.addSchema(ProductView)
  const { database } = app
  const tags = ['catalog']

  async function withVariants (products: Product[]): Promise<Static<typeof ProductView>[]> {
    const variants = await listVariants(database, products.map(product => product.id))
    const byProduct = Map.groupBy(variants, variant => variant.productId)
    return products.map(product => describeProduct(product, byProduct.get(product.id) ?? []))
  }

  app.get('/products', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listProducts',
      summary: 'List the products of the master shops',
      description: 'Products as the hub read them last, each with all its variants.',
      querystring: ProductQuery,
      response: { 200: Type.Array(Type.Ref(ProductView)) }
    }
  }, async (request, reply) => {
    const { limit, cursor, ...filter } = request.query
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    const found = await withVariants(await listProducts(database, filter, { limit, after }))
    linkNextPage(request, reply, found, limit)
    return found
  })

  app.get('/products/:id', {
    config: { scope: 'read', problems: ['LNK_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readProduct',
      summary: 'Read a product with its variants',
      description: 'Shows the product as the hub read it last; it does not call the shop.',
      params: Params,
      response: { 200: Type.Ref(ProductView) }
    }
  }, async request => {
    const product = await findProduct(database, request.params.id)
    if (product === null) throw new NotFoundError(`Product '${request.params.id}' not found`)
    const [found] = await withVariants([product])
    return found
  })

  app.get('/variants/:id', {
    config: { scope: 'read', problems: ['LNK_VARIANT_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readVariant',
      summary: 'Read a variant',
      description: 'A variant is what an offer is linked to: it has the stock.',
      params: Params,
      response: { 200: Type.Ref(VariantView) }
    }
  }, async request => {
    const variant = await findVariant(database, request.params.id)
    if (variant === null) throw new VariantNotFoundError(request.params.id)
    return describeVariant(variant)
  })
}

function describeProduct (product: Product, variants: Variant[]): Static<typeof ProductView> {
  const { id, connectionId, externalId, imageUrls } = product
  return {
    id,
    connectionId,
    externalId,
    name: product.name ?? null,
    description: product.description ?? null,
    isActive: product.isActive ?? null,
    imageUrls,
    missingSince: product.missingAt?.toISOString() ?? null,
    variants: variants.map(describeVariant),
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString()
  }
}

function describeVariant (variant: Variant): Static<typeof VariantView> {
  const { id, productId, externalId, imageUrls } = variant
  return {
    id,
    productId,
    externalId,
    imageUrls,
    name: variant.name ?? null,
    sku: variant.sku ?? null,
    ean: variant.ean ?? null,
    price: variant.price ?? null,
    regularPrice: variant.regularPrice ?? null,
    isSellable: variant.isSellable,
    missingSince: variant.missingAt?.toISOString() ?? null
  }
}

export default routes
