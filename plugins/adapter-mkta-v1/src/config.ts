import { ConfigurationError, type Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

export const Config = Type.Object({
  /** Which of the marketplace's two separate systems: accounts, tokens, offers and category ids of one mean nothing in the other. */
  environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')])
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

const Environment = Type.Object({ restBaseUrl: Type.Optional(Type.String({ minLength: 1 })) })

const PlatformSettings = Type.Object({
  sandbox: Type.Optional(Environment),
  production: Type.Optional(Environment),
  mediaType: Type.Optional(Type.String({ pattern: '^application/[A-Za-z0-9.+-]+$' }))
})

export interface RestSettings { baseUrl: string, mediaType: string }

/** Where the REST interface of an environment is and how it is spoken to, from `platforms.mkta` in linker.config.json. */
export function readRestSettings (environment: Config['environment'], platform: Readonly<Record<string, unknown>>): RestSettings {
  if (!Value.Check(PlatformSettings, platform)) {
    const problem = Value.Errors(PlatformSettings, platform).First()
    throw new ConfigurationError(`platforms.mkta${problem?.path.replaceAll('/', '.') ?? ''} in linker.config.json: ${problem?.message ?? 'is not valid'}`)
  }
  const baseUrl = platform[environment]?.restBaseUrl
  if (baseUrl === undefined) throw new ConfigurationError(`platforms.mkta.${environment}.restBaseUrl is not set in linker.config.json`)
  return { baseUrl, mediaType: platform.mediaType ?? 'application/vnd.mkta.public.v1+json' }
}
