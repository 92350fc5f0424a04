import { DispatchTime, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** An https address, or one on this machine for trying a marketplace out. */
export const CallbackAddress = Type.String({
  pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#@]*)?)$'
})

const Environment = Type.Union([Type.Literal('production'), Type.Literal('sandbox')], { default: 'production' })

export const Config = Type.Object({
  /** The public address of the hub, to which the marketplace posts its webhooks. */
  callbackBaseUrl: Type.Optional(CallbackAddress),
  /** The handling time of a new offer that names none itself. */
  defaultDispatchTime: Type.Optional(DispatchTime),
  /**
   * Overrides the platform's address. It must be https on a host that the operator owns. When it is
   * blank, the address of `environment` is used.
   */
  baseUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  /** Whether the hub writes order statuses and parcels to the marketplace. */
  orderWriteBack: Type.Boolean({ default: false }),
  environment: Environment
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  /** The shop API key from the seller's panel. It never expires and is never renewed. */
  apiKey: Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x21-\\x7e]+$', secret: true })
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export type MarketplaceContext = Context<Config, Credentials>

/** Accepts the bare key, as the seller's panel shows it. */
export function normalizeCredentials (credentials: unknown): unknown {
  return typeof credentials === 'string' ? { apiKey: credentials.trim() } : credentials
}
