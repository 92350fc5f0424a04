import type { Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const shopId = '^[1-9][0-9]{0,9}$'
const ShopId = Type.String({ pattern: shopId })

export const Config = Type.Object({
  /** The public address of the shop, for image URLs. Absent: `apiUrl` without its last segment. */
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s?#@]+$' })),
  /**
   * The shop of a multishop installation. It is required there: without it the adapter cannot tell
   * apart the stock rows of several shops.
   */
  shopId: Type.Optional(ShopId),
  /**
   * The IANA name of the time zone that the shop writes its times in (`Europe/Warsaw`). Absent:
   * products have no `updatedAt`.
   */
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /**
   * The id of the shop language in which names and descriptions are read. Absent: the first
   * language that has a text.
   */
  languageId: Type.Optional(ShopId),
  /** Settings that turn the shop's net prices into gross ones. Absent: products have no prices. */
  prices: Type.Optional(Type.Object({
    /** ISO 3166-1 alpha-2 code of the country whose tax the prices include. */
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    /** ISO 4217 code of the shop's default currency, the currency of its prices. */
    currency: Type.String({ pattern: '^[A-Z]{3}$' })
  }, { additionalProperties: false })),
  /** The image type of the shop's theme that the hub publishes. */
  imageType: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', default: 'large_default' }),
  /**
   * Maps a marketplace's delivery method to a carrier of the shop. The first match counts, but an
   * entry that names the connection comes before one that does not.
   */
  carriers: Type.Optional(Type.Array(Type.Object({
    sourceConnectionId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    methodId: Type.String({ minLength: 1, maxLength: 255 }),
    /** The `id_reference` of the carrier: its id changes with every edit. */
    carrierReference: ShopId
  }, { additionalProperties: false }))),
  /** The carrier for every other delivery method. Absent: the shop-side module's carrier. */
  defaultCarrierId: Type.Optional(ShopId),
  /**
   * Who makes orders: the shop-side module, which keeps the buyer's shipping costs, or the
   * webservice alone. Absent: the module if the shop has the webhook secret, else the webservice.
   */
  orderPath: Type.Optional(Type.Union([Type.Literal('module'), Type.Literal('webservice')])),
  /** The name of the shop-side module. */
  moduleName: Type.String({ pattern: '^[a-z0-9_-]{1,64}$', default: 'linker' }),
  /**
   * The payment module of orders by the webservice. It must be installed and active in the shop.
   */
  paymentModule: Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$', default: 'wirepayment' }),
  /** The ids of the order states that the hub sets. */
  orderStates: Type.Optional(Type.Object({
    processing: Type.Optional(Type.String({ pattern: shopId, default: '2' })),
    shipped: Type.Optional(Type.String({ pattern: shopId, default: '4' })),
    delivered: Type.Optional(Type.String({ pattern: shopId, default: '5' })),
    cancelled: Type.Optional(Type.String({ pattern: shopId, default: '6' }))
  }, { additionalProperties: false }))
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  apiUrl: Type.String({ pattern: '^https?://[^\\s?#@]+$' }),
  /**
   * The webservice key. It has 32 characters in every shop we know, but only the shop checks it.
   */
  apiKey: Type.String({ minLength: 1, maxLength: 255, secret: true }),
  /**
   * The secret that signs calls of the shop-side module. Absent: the secret of the installed
   * webhooks, as the shop stores it.
   */
  moduleSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 255, secret: true }))
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

/** Returns the address of the shop itself, without the last segment of its webservice. */
export function shopUrlOf (apiUrl: string): string {
  return apiUrl.replace(/\/api$/, '')
}

export type ShopContext = Context<Config, Credentials>

/**
 * Brings `apiUrl` to the one form that is stored: no trailing slash, and `api` as its last segment.
 * The schema checks the rest.
 */
export function normalizeCredentials (credentials: unknown): unknown {
  if (typeof credentials !== 'object' || credentials === null || !('apiUrl' in credentials)) return credentials
  const { apiUrl } = credentials
  return typeof apiUrl === 'string' ? { ...credentials, apiUrl: webserviceUrl(apiUrl) } : credentials
}

function webserviceUrl (address: string): string {
  const segments = address.trim().split('/')
  while (segments.at(-1) === '') segments.pop()
  // The first three segments are scheme, nothing and host: a host named api is not a path.
  if (segments.length < 4 || segments.at(-1) !== 'api') segments.push('api')
  return segments.join('/')
}
