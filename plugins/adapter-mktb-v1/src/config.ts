import type { Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** How long the seller takes to hand a parcel over. `day` means working days; the other units are old forms that the marketplace still reads. */
export const DispatchTime = Type.Object({
  unit: Type.Union([Type.Literal('hour'), Type.Literal('day'), Type.Literal('month')]),
  period: Type.Integer({ minimum: 0, maximum: 365 })
}, { additionalProperties: false })

export const Config = Type.Object({
  /** Public https address of the hub that the marketplace posts its webhooks to. */
  callbackBaseUrl: Type.Optional(Type.String({ pattern: '^https://[^\\s?#@]+$' })),
  /** Handling time of every new offer. Without it no offer can be created. */
  defaultDispatchTime: Type.Optional(DispatchTime),
  /** Overrides the platform's address; https on a host that the operator owns. Blank: the address of `environment`. */
  baseUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  environment: Type.Optional(Type.Union([Type.Literal('production'), Type.Literal('sandbox')], { default: 'production' }))
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
