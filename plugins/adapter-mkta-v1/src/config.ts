import { ConfigurationError, readPlatformSettings, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const Language = Type.Union(
  (['pl-PL', 'en-US', 'uk-UA', 'cs-CZ', 'sk-SK', 'hu-HU'] as const).map(language => Type.Literal(language)),
  {
    default: 'pl-PL',
    title: 'Language',
    description: "Of the marketplace's messages; some of its validation depends on it"
  }
)

const MarketplaceIds = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  minItems: 1,
  maxItems: 20,
  default: ['mkta-pl'],
  title: 'Country sites',
  description: 'The sites whose delivery methods the hub lists',
  examples: [['mkta-pl', 'mkta-cz']]
})

export const Config = Type.Object({
  environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')], {
    title: 'Environment',
    description: "Which of the marketplace's two separate systems the connection uses. Accounts, applications, " +
      'tokens, offers and category ids of one mean nothing in the other'
  }),
  language: Language,
  marketplaceIds: MarketplaceIds
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  accessToken: Type.String({
    minLength: 1,
    secret: true,
    title: 'Access token',
    description: 'The hub sends it with every request, and renews it before it expires'
  }),
  refreshToken: Type.String({
    minLength: 1,
    secret: true,
    title: 'Refresh token',
    description: 'Renews the access token. It serves once: the answer brings the next one'
  }),
  expiresAt: Type.String({
    minLength: 20,
    maxLength: 40,
    title: 'End of the access token',
    description: 'When the access token expires, ISO 8601 with a zone',
    examples: ['2026-01-31T12:00:00Z']
  })
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export type MarketplaceContext = Context<Config, Credentials>

const EnvironmentSettings = Type.Object({
  webBaseUrl: Type.Optional(Type.String({ minLength: 1 })),
  restBaseUrl: Type.Optional(Type.String({ minLength: 1 })),
  /** Client id of a registered application → its secret. */
  clients: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 })))
})

/**
 * The operator's settings for this marketplace as a whole: `platforms.mkta` in linker.config.json.
 */
const PlatformSettings = Type.Object({
  sandbox: Type.Optional(EnvironmentSettings),
  production: Type.Optional(EnvironmentSettings),
  mediaType: Type.Optional(Type.String({ pattern: '^application/[A-Za-z0-9.+-]+$' })),
  /** Sent with every request: name, version and a contact address of the operator. */
  userAgent: Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$' })),
  /** Beginnings of the mail domains that the marketplace uses to hide a buyer's own address. */
  maskedMailDomains: Type.Optional(Type.Array(Type.String({ minLength: 1 })))
})

/** One of the two systems as the operator configured it. */
export interface Environment {
  /** The host where people log in and tokens are issued. */
  webBaseUrl: string
  /** The host of all other requests. */
  restBaseUrl: string
  mediaType: string
  userAgent: string | undefined
  /** Client id → secret. */
  clients: ReadonlyMap<string, string>
}

/**
 * Returns the hosts and headers of an environment. Both hosts come from one entry, so a token never
 * reaches the host of the other environment.
 */
export function resolveEnvironment (
  environment: Config['environment'],
  platform: Readonly<Record<string, unknown>>
): Environment {
  const settings = readPlatform(platform)
  const { webBaseUrl, restBaseUrl, clients = {} } = settings[environment] ?? {}
  if (restBaseUrl === undefined) throw notSet(`${environment}.restBaseUrl`)
  if (webBaseUrl === undefined) throw notSet(`${environment}.webBaseUrl`)
  return {
    webBaseUrl,
    restBaseUrl,
    clients: new Map(Object.entries(clients)),
    mediaType: settings.mediaType ?? 'application/vnd.mkta.public.v1+json',
    userAgent: settings.userAgent
  }
}

export function maskedMailDomains (platform: Readonly<Record<string, unknown>>): readonly string[] {
  return readPlatform(platform).maskedMailDomains ?? ['mktamail.', 'user.mktamail.']
}

function notSet (name: string): ConfigurationError {
  return new ConfigurationError(`platforms.mkta.${name} is not set in linker.config.json`)
}

function readPlatform (platform: MarketplaceContext['platform']): Static<typeof PlatformSettings> {
  return readPlatformSettings(PlatformSettings, 'mkta', platform)
}
