import { defineAdapter, type Context, type HttpClient, type Product, type ProductMaster } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const Config = Type.Object({ baseUrl: Type.String({ title: 'Address of the API', pattern: '^https?://' }) })
const Credentials = Type.Object({ apiKey: Type.String({ title: 'API key', minLength: 1, secret: true }) })

const Seller = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) })
const Article = Type.Object({ id: Type.Integer(), title: Type.String(), active: Type.Boolean(), price: Type.String() })
const Articles = Type.Object({ items: Type.Array(Article), next: Type.Optional(Type.String()) })

type FeedContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: FeedContext): HttpClient {
  return http({ baseUrl: config.baseUrl, headers: { 'x-api-key': credentials.apiKey } })
}

function toProduct ({ id, title, active, price }: Static<typeof Article>): Product {
  const variant = { externalId: String(id), price: { amount: price, currency: 'PLN' } }
  return { externalId: String(id), name: title, isActive: active, variants: [variant] }
}

function createProductMaster (client: HttpClient): ProductMaster {
  return {
    async getProduct (externalId) {
      return toProduct(await client.get(`articles/${encodeURIComponent(externalId)}`, { as: Article }))
    },
    async listProducts ({ cursor, limit, updatedSince }) {
      const { items, next } = await client.get('articles', { query: { cursor, limit, updatedSince }, as: Articles })
      return { items: items.map(toProduct), nextCursor: next }
    }
  }
}

/** Feedshop, a made-up shop: its products, read with an API key. Nothing happens on import. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    await client.get('me')
    return { message: 'the key is valid' }
  },
  account: async client => {
    const { id, name } = await client.get('me', { as: Seller })
    return { id, name }
  },
  capabilities: { ProductMaster: createProductMaster }
})
