import {
  defineAdapter,
  ExternalId,
  toPage,
  type Context,
  type HttpClient,
  type Marketplace,
  type Money,
  type Offer,
  type Order
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
const Price = Type.String({ pattern: '^[0-9]+[.][0-9]{2}$' })
const Time = Type.String({ pattern: '^[0-9-]{10}T[0-9:]{8}Z$' })
const Listing = Type.Object({ id: ExternalId, title: Type.String(), price: Price, stock: Type.Integer() })
type Listing = Static<typeof Listing>
const ListingPage = Type.Object({ listings: Type.Array(Listing), next: Type.Optional(Type.String({ minLength: 1 })) })
const Journal = Type.Object({
  entries: Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), purchaseId: ExternalId, time: Time })),
  hasMore: Type.Boolean()
})
const Purchase = Type.Object({
  id: ExternalId,
  state: Type.Union([Type.Literal('unpaid'), Type.Literal('paid'), Type.Literal('sent'), Type.Literal('cancelled')]),
  boughtAt: Time,
  changedAt: Time,
  email: Type.String(),
  lines: Type.Array(
    Type.Object({
      id: ExternalId,
      listingId: ExternalId,
      title: Type.String(),
      pieces: Type.Integer({ minimum: 1 }),
      price: Price
    }),
    { minItems: 1 }
  ),
  total: Price,
  delivery: Type.Object({
    method: Type.String(),
    price: Price,
    name: Type.String(),
    street: Type.String(),
    postcode: Type.String(),
    city: Type.String(),
    country: Type.String({ pattern: '^[A-Z]{2}$' })
  })
})
type Purchase = Static<typeof Purchase>

const statuses = { unpaid: 'pending', paid: 'processing', sent: 'shipped', cancelled: 'cancelled' } as const

type PlatformContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: PlatformContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
}

// The platform sells in one currency.
const toMoney = (amount: string): Money => ({ amount, currency: 'EUR' })

function toOffer ({ id, title, price, stock }: Listing): Offer {
  return {
    externalId: id,
    status: stock > 0 ? 'ACTIVE' : 'INACTIVE',
    title,
    price: toMoney(price),
    quantity: stock,
    frozenFields: [],
    problems: []
  }
}

function toOrder ({ id, state, boughtAt, changedAt, email, lines, total, delivery }: Purchase): Order {
  const { method, price, name, street, postcode, city, country } = delivery
  return {
    externalId: id,
    status: statuses[state],
    revision: changedAt,
    placedAt: boughtAt,
    buyer: { email },
    lines: lines.map(line => ({
      externalId: line.id,
      offerExternalId: line.listingId,
      name: line.title,
      quantity: line.pieces,
      unitPrice: toMoney(line.price)
    })),
    total: toMoney(total),
    // This platform takes the money itself; an order to be paid on delivery has paid nothing yet.
    payment: { method: 'prepaid', paid: toMoney(state === 'unpaid' ? '0.00' : total) },
    shipping: {
      methodId: method,
      price: toMoney(price),
      address: { lastName: name, street, postcode, city, country }
    }
  }
}

function createMarketplace (client: HttpClient): Marketplace {
  return {
    async listOffers ({ cursor, limit }) {
      const query = { after: cursor, limit }
      const { listings, next } = await client.get('listings', { query, as: ListingPage })
      return toPage(listings.map(toOffer), { cursor, nextCursor: next })
    },
    async updateOfferQuantity ({ externalId, quantity }) {
      const path = `listings/${encodeURIComponent(externalId)}/stock`
      await client.json({ method: 'PUT', path, body: { stock: quantity }, as: Listing })
      return { applied: ['stock'], frozen: [] }
    },
    async listOrderEvents ({ cursor, limit }) {
      const query = { after: cursor, limit }
      const { entries, hasMore } = await client.get('journal', { query, as: Journal })
      const events = entries.map(({ id, purchaseId, time }) => ({
        eventId: id,
        orderExternalId: purchaseId,
        occurredAt: time
      }))
      return { events, cursor: entries.at(-1)?.id ?? cursor, hasMore }
    },
    async getOrder (externalId) {
      const path = `purchases/${encodeURIComponent(externalId)}`
      return toOrder(await client.get(path, { as: Purchase }))
    }
  }
}

/** A marketplace with offers and orders. Its identity is `linker` in package.json. */
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
  capabilities: { Marketplace: createMarketplace }
})
