import { Type, type Static } from '@sinclair/typebox'
import { Config } from '../config.ts'

/** How long the seller has to consent (specification, section 3.4). */
export const authorisationSeconds = 600

/**
 * What the hub keeps while the seller is at the marketplace. It is gone when the browser comes
 * back, the client secret with it.
 */
export const Authorisation = Type.Object({
  /** Names this attempt: it makes one connection, however often its end is repeated. */
  id: Type.String(),
  environment: Config.properties.environment,
  clientId: Type.String(),
  clientSecret: Type.String(),
  redirectUri: Type.String(),
  codeVerifier: Type.String(),
  connectionName: Type.String(),
  /** The connection that is authorised again. */
  connectionId: Type.Optional(Type.String())
})
export type Authorisation = Static<typeof Authorisation>
