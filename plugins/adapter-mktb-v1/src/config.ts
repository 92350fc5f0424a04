import { DispatchTime, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const callbackAddress = '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#@]*)?)$'

/** An https address, or one on this machine for trying a marketplace out. */
export const CallbackAddress = Type.String({
  pattern: callbackAddress,
  title: 'Public address of the hub',
  description: 'The marketplace posts its webhooks to it: https, or http on localhost to try it out',
  examples: ['https://hub.example.com'],
  group: 'Addresses'
})

const Environment = Type.Union([Type.Literal('production'), Type.Literal('sandbox')], {
  default: 'production',
  title: 'Environment',
  description: 'Which of the addresses in linker.config.json the connection uses',
  group: 'Addresses'
})

/** The tax rates that the marketplace knows. */
const TaxRateCode = Type.Union([
  Type.Literal('TAX_23'),
  Type.Literal('TAX_19'),
  Type.Literal('TAX_8'),
  Type.Literal('TAX_7'),
  Type.Literal('TAX_5'),
  Type.Literal('TAX_0'),
  Type.Literal('TAX_ZW'),
  Type.Literal('TAX_NP')
], {
  title: 'Tax rate',
  description: 'Of a new offer whose shop names none. For a shop that sells at 0 %, TAX_ZW or TAX_NP says why',
  examples: ['TAX_23'],
  group: 'Offers'
})
export type TaxRateCode = Static<typeof TaxRateCode>

export const Config = Type.Object({
  callbackBaseUrl: Type.Optional(CallbackAddress),
  defaultDispatchTime: Type.Optional(Type.Composite([DispatchTime], {
    additionalProperties: false,
    title: 'Handling time',
    description: 'Of a new offer that names none itself',
    examples: [{ unit: 'day', period: 2 }],
    group: 'Offers'
  })),
  defaultTaxRate: Type.Optional(TaxRateCode),
  baseUrl: Type.Optional(Type.String({
    maxLength: 2_000,
    title: 'Another address of the marketplace',
    description: 'In place of the address of the environment. https, on a host that the operator owns. ' +
      'Blank: the address of the environment',
    examples: ['https://api.marketplace-b.example'],
    group: 'Addresses'
  })),
  orderWriteBack: Type.Boolean({
    // Connections that were made when it was off by default stay as they were.
    default: false,
    initial: true,
    title: 'Write orders back',
    description: 'Whether the hub writes order statuses and parcels to the marketplace',
    group: 'Orders'
  }),
  environment: Environment
})
export type Config = Static<typeof Config>

/** The settings that fill in members of new offers. */
export type OfferDefaults = Pick<Config, 'defaultDispatchTime' | 'defaultTaxRate'>

export const Credentials = Type.Object({
  apiKey: Type.String({
    minLength: 1,
    maxLength: 1_000,
    pattern: '^[\\x21-\\x7e]+$',
    secret: true,
    title: 'API key of the shop',
    description: "From the seller's panel. It never expires and is never renewed"
  })
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export type MarketplaceContext = Context<Config, Credentials>

/** Accepts the bare key, as the seller's panel shows it. */
export function normalizeCredentials (credentials: unknown): unknown {
  return typeof credentials === 'string' ? { apiKey: credentials.trim() } : credentials
}
