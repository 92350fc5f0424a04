import { Type, type Static } from '@sinclair/typebox'
import { Config } from '../config.ts'

/** The time that the seller has to consent (specification, section 3.4). */
export const authorisationSeconds = 600

/**
 * The values that the hub keeps while the seller is at the marketplace. It deletes them, with the
 * client secret, when the browser comes back.
 */
export const Authorisation = Type.Object({
  /** The id of this attempt. It makes one connection, even if the browser repeats the callback. */
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
