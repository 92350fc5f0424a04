import type { Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const shopId = '^[1-9][0-9]{0,9}$'
const ShopId = Type.String({ pattern: shopId })

export const Config = Type.Object({
  /** Public address of the shop, for image addresses. Absent: `apiUrl` without its last segment. */
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s?#@]+$' })),
  /**
   * Which shop of a multishop installation. Required there: without it the stock rows of several
   * shops cannot be told apart.
   */
  shopId: Type.Optional(ShopId),
  /**
   * IANA name of the zone that the shop writes its times in (`Europe/Warsaw`). Absent: products
   * carry no `updatedAt`.
   */
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /**
   * Id of the shop language that names and descriptions are read in. Absent: the first that has a
   * text.
   */
  languageId: Type.Optional(ShopId),
  /** What the shop's net prices become gross with. Absent: products carry no prices. */
  prices: Type.Optional(Type.Object({
    /** ISO 3166-1 alpha-2 of the country whose tax the prices carry. */
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    /** ISO 4217 of the shop's default currency, which its prices are in. */
    currency: Type.String({ pattern: '^[A-Z]{3}$' })
  }, { additionalProperties: false })),
  /** Image type of the shop's theme that is published. */
  imageType: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', default: 'large_default' })),
  /**
   * Which carrier of the shop a delivery method of a marketplace is. The first that fits counts,
   * one that names the connection before one that does not.
   */
  carriers: Type.Optional(Type.Array(Type.Object({
    sourceConnectionId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    methodId: Type.String({ minLength: 1, maxLength: 255 }),
    /** `id_reference` of the carrier: its id changes whenever somebody edits it. */
    carrierReference: ShopId
  }, { additionalProperties: false }))),
  /**
   * Carrier for every other delivery method. Absent: the one that the shop-side module has
   * installed.
   */
  defaultCarrierId: Type.Optional(ShopId),
  /**
   * Who makes orders: the shop-side module, which takes the buyer's shipping costs as they are, or
   * the webservice alone. Absent: the module where the shop has the secret of webhooks.
   */
  orderPath: Type.Optional(Type.Union([Type.Literal('module'), Type.Literal('webservice')])),
  /** Name of the shop-side module. */
  moduleName: Type.Optional(Type.String({ pattern: '^[a-z0-9_-]{1,64}$', default: 'linker' })),
  /**
   * Payment module that orders are booked under when the webservice makes them; installed and
   * active in the shop.
   */
  paymentModule: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$', default: 'wirepayment' })),
  /** Ids of order states that the hub sets. */
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
  /** Webservice key, 32 characters in every shop we know; the shop judges it. */
  apiKey: Type.String({ minLength: 1, maxLength: 255, secret: true }),
  /**
   * What calls of the shop-side module are signed with. Absent: the secret that the installed
   * webhooks are signed with, as the shop has it.
   */
  moduleSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 255, secret: true }))
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

/** Address of the shop itself, without its webservice's last segment. */
export function shopUrlOf (apiUrl: string): string {
  return apiUrl.replace(/\/api$/, '')
}

export type ShopContext = Context<Config, Credentials>

/**
 * Brings `apiUrl` to the one form that is stored: no trailing slash, `api` as its last segment. The
 * rest is left to the schema.
 */
export function normalizeCredentials (credentials: unknown): unknown {
  if (typeof credentials !== 'object' || credentials === null || !('apiUrl' in credentials)) return credentials
  const { apiUrl } = credentials
  return typeof apiUrl === 'string' ? { ...credentials, apiUrl: webserviceUrl(apiUrl) } : credentials
}

function webserviceUrl (address: string): string {
  const segments = address.trim().split('/')
  while (segments.at(-1) === '') segments.pop()
  // The first three are scheme, nothing and host: a host named api is no path.
  if (segments.length < 4 || segments.at(-1) !== 'api') segments.push('api')
  return segments.join('/')
}
