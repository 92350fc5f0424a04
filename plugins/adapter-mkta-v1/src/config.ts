import { ConfigurationError, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Language = Type.Union(
  (['pl-PL', 'en-US', 'uk-UA', 'cs-CZ', 'sk-SK', 'hu-HU'] as const).map(language => Type.Literal(language)),
  { default: 'pl-PL' }
)

export const Config = Type.Object({
  /**
   * Which of the marketplace's two separate systems: accounts, applications, tokens, offers and
   * category ids of one mean nothing in the other.
   */
  environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')]),
  /** Language of the marketplace's messages; some of its validation depends on it. */
  language: Type.Optional(Language),
  /** The country sites whose delivery methods count. Default: the first one. */
  marketplaceIds: Type
    .Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      minItems: 1,
      maxItems: 20,
      default: ['mkta-pl']
    }))
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  accessToken: Type.String({ minLength: 1, secret: true }),
  refreshToken: Type.String({ minLength: 1, secret: true }),
  /** When the access token ends, ISO 8601. */
  expiresAt: Type.String({ minLength: 20, maxLength: 40 })
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
 * What the operator says about this marketplace as a whole, `platforms.mkta` in linker.config.json.
 */
const PlatformSettings = Type.Object({
  sandbox: Type.Optional(EnvironmentSettings),
  production: Type.Optional(EnvironmentSettings),
  mediaType: Type.Optional(Type.String({ pattern: '^application/[A-Za-z0-9.+-]+$' })),
  /** Sent with every request: name, version and an address of whoever runs the hub. */
  userAgent: Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$' })),
  /** How the domain of an address begins behind which the marketplace hides a buyer's own. */
  maskedMailDomains: Type.Optional(Type.Array(Type.String({ minLength: 1 })))
})

/** One of the two systems as the operator configured it. */
export interface Environment {
  /** People log in here, and tokens are issued. */
  webBaseUrl: string
  /** Everything else. */
  restBaseUrl: string
  mediaType: string
  userAgent: string | undefined
  /** Client id → secret. */
  clients: ReadonlyMap<string, string>
}

/**
 * Where an environment is and how it is spoken to. Both hosts come from here, so that a token never
 * meets the host of the other environment.
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

function readPlatform (platform: Readonly<Record<string, unknown>>): Static<typeof PlatformSettings> {
  if (Value.Check(PlatformSettings, platform)) return platform
  const problem = Value.Errors(PlatformSettings, platform).First()
  throw new ConfigurationError(`platforms.mkta${problem?.path.replaceAll('/', '.') ?? ''} in linker.config.json: ${
    problem?.message ?? 'is not valid'
  }`)
}
