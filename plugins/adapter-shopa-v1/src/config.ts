import type { Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

export const Config = Type.Object({
  /** Public address of the shop, for image addresses. Absent: `apiUrl` without its last segment. */
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s?#@]+$' })),
  /** Which shop of a multishop installation. Required there: without it the stock rows of several shops cannot be told apart. */
  shopId: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,9}$' })),
  /** IANA name of the zone that the shop writes its times in (`Europe/Warsaw`). Absent: products carry no `updatedAt`. */
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** Id of the shop language that names and descriptions are read in. Absent: the first that has a text. */
  languageId: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,9}$' })),
  /** What the shop's net prices become gross with. Absent: products carry no prices. */
  prices: Type.Optional(Type.Object({
    /** ISO 3166-1 alpha-2 of the country whose tax the prices carry. */
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    /** ISO 4217 of the shop's default currency, which its prices are in. */
    currency: Type.String({ pattern: '^[A-Z]{3}$' })
  }, { additionalProperties: false })),
  /** Image type of the shop's theme that is published. */
  imageType: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', default: 'large_default' }))
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  apiUrl: Type.String({ pattern: '^https?://[^\\s?#@]+$' }),
  /** Webservice key, 32 characters in every shop we know; the shop judges it. */
  apiKey: Type.String({ minLength: 1, maxLength: 255, secret: true })
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export type ShopContext = Context<Config, Credentials>

/** Brings `apiUrl` to the one form that is stored: no trailing slash, `api` as its last segment. The rest is left to the schema. */
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
