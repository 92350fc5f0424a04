import {
  defineAdapter,
  ExternalId,
  TransientError,
  type Context,
  type HttpClient,
  type HttpRequest,
  type InventoryMaster,
  type Product,
  type ProductMaster,
  type StockLevel
} from '@linker/sdk'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The settings of a connection. The hub shows both schemas as a form and checks the input. */
const Config = Type.Object({ baseUrl: Type.String({ title: 'Address of the API', pattern: '^https?://' }) })
const Credentials = Type.Object({ apiKey: Type.String({ title: 'API key', minLength: 1, secret: true }) })

/** The answers of the platform: the members that this adapter reads. */
const Account = Type.Object({ name: Type.String() })
const Article = Type.Object({
  id: ExternalId,
  title: Type.String(),
  isOnSale: Type.Boolean(),
  price: Type.String({ pattern: '^[0-9]+[.][0-9]{2}$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  stock: Type.Integer()
})
type Article = Static<typeof Article>
const ArticlePage = Type.Object({ articles: Type.Array(Article), next: Type.Optional(Type.String({ minLength: 1 })) })

type PlatformContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: PlatformContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
}

/** Sends a request. Returns the answer if it has the form that this adapter knows. */
async function ask<Schema extends TSchema> (
  client: HttpClient,
  schema: Schema,
  request: HttpRequest
): Promise<Static<Schema>> {
  const answer = await client.json(request)
  if (!Value.Check(schema, answer)) {
    throw new TransientError(`the platform answered ${request.method} ${request.path} in an unknown form`)
  }
  return answer
}

const readArticle = (client: HttpClient, id: string): Promise<Article> =>
  ask(client, Article, { method: 'GET', path: `articles/${encodeURIComponent(id)}` })

function toProduct ({ id, title, isOnSale, price, currency }: Article): Product {
  // A product without variants has one.
  const variant = { externalId: id, price: { amount: price, currency } }
  return { externalId: id, name: title, isActive: isOnSale, variants: [variant] }
}

function toStockLevel ({ id, stock }: Article): StockLevel {
  return { productExternalId: id, variantExternalId: id, quantity: stock }
}

function createProductMaster (client: HttpClient): ProductMaster {
  return {
    async getProduct (externalId) {
      return toProduct(await readArticle(client, externalId))
    },
    async listProducts ({ cursor, limit, updatedSince }) {
      const query = { after: cursor, limit, changedSince: updatedSince }
      const { articles, next } = await ask(client, ArticlePage, { method: 'GET', path: 'articles', query })
      return { items: articles.map(toProduct), nextCursor: next }
    }
  }
}

function createInventoryMaster (client: HttpClient): InventoryMaster {
  return {
    async getStock (productExternalId) {
      return [toStockLevel(await readArticle(client, productExternalId))]
    },
    async listStock ({ cursor, limit }) {
      const query = { after: cursor, limit }
      const { articles, next } = await ask(client, ArticlePage, { method: 'GET', path: 'articles', query })
      return { items: articles.map(toStockLevel), nextCursor: next }
    }
  }
}

/** A shop whose products and stock the hub follows. Its identity is `linker` in package.json. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    const { name } = await ask(client, Account, { method: 'GET', path: 'account' })
    return { message: `the key opens the account of ${name}` }
  },
  capabilities: { ProductMaster: createProductMaster, InventoryMaster: createInventoryMaster }
})
