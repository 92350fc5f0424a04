import { DispatchTime, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** https, or the own machine, where a marketplace is only being tried out. */
export const CallbackAddress = Type.String({
  pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#@]*)?)$'
})

export const Config = Type.Object({
  /** Public address of the hub that the marketplace posts its webhooks to. */
  callbackBaseUrl: Type.Optional(CallbackAddress),
  /** Handling time of a new offer that says none itself. */
  defaultDispatchTime: Type.Optional(DispatchTime),
  /**
   * Overrides the platform's address; https on a host that the operator owns. Blank: the address of
   * `environment`.
   */
  baseUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  /** Whether statuses and parcels of orders are written to the marketplace. */
  orderWriteBack: Type.Optional(Type.Boolean({ default: false })),
  environment: Type
    .Optional(Type.Union([Type.Literal('production'), Type.Literal('sandbox')], { default: 'production' }))
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  /** Shop API key of the seller's panel. It neither expires nor renews itself. */
  apiKey: Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x21-\\x7e]+$', secret: true })
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export type MarketplaceContext = Context<Config, Credentials>

/** Accepts the key alone, as the seller's panel shows it. */
export function normalizeCredentials (credentials: unknown): unknown {
  return typeof credentials === 'string' ? { apiKey: credentials.trim() } : credentials
}
