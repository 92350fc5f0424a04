import {
  defineAdapter,
  ExternalId,
  toPage,
  type Context,
  type HttpClient,
  type InventoryMaster,
  type Product,
  type ProductMaster,
  type StockLevel
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** The settings of a connection. The hub shows both schemas as a form and checks the input. */
const Config = Type.Object({
  baseUrl: Type.String({ title: 'Address of the API', pattern: '^https?://', examples: ['https://api.example.com'] })
})
const Credentials = Type.Object({
  apiKey: Type.String({
    title: 'API key',
    description: "From the platform's settings for developers",
    minLength: 1,
    secret: true
  })
})

/** The answers of the platform: the members that this adapter reads. */
const Account = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) })
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

const readArticle = (client: HttpClient, id: string): Promise<Article> =>
  client.get(`articles/${encodeURIComponent(id)}`, { as: Article })

function toProduct ({ id, title, isOnSale, price, currency }: Article): Product {
  // A product without variants has one. `price` is what a buyer pays today, promotions included;
  // `regularPrice` beside it is the price without them.
  const variant = { externalId: id, price: { amount: price, currency } }
  return { externalId: id, name: title, isActive: isOnSale, variants: [variant] }
}

function toStockLevel ({ id, stock, isOnSale }: Article): StockLevel {
  // The hub sells none of what the shop has switched off, and keeps its stock.
  return { productExternalId: id, variantExternalId: id, quantity: stock, sellable: isOnSale }
}

function createProductMaster (client: HttpClient): ProductMaster {
  return {
    async getProduct (externalId) {
      return toProduct(await readArticle(client, externalId))
    },
    async listProducts ({ cursor, limit, updatedSince }) {
      const query = { after: cursor, limit, changedSince: updatedSince }
      const { articles, next } = await client.get('articles', { query, as: ArticlePage })
      return toPage(articles.map(toProduct), { cursor, nextCursor: next })
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
      const { articles, next } = await client.get('articles', { query, as: ArticlePage })
      return toPage(articles.map(toStockLevel), { cursor, nextCursor: next })
    }
  }
}

/** A shop whose products and stock the hub follows. Its identity is `linker` in package.json. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    const { name } = await client.get('account', { as: Account })
    return { message: `the key opens the account of ${name}` }
  },
  // The id must be that of the account: the same for every key, and after a change of its name.
  account: async client => {
    const { id, name } = await client.get('account', { as: Account })
    return { id, name }
  },
  capabilities: { ProductMaster: createProductMaster, InventoryMaster: createInventoryMaster }
})
