import type { OpenAPIV3_1 } from 'openapi-types'
import { isTokenScope } from '../authentication.ts'

/** How callers prove who they are, by the names that operations use. */
export const securitySchemes: Readonly<Record<string, OpenAPIV3_1.SecuritySchemeObject>> = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'The own token of the hub (`linker token`), or a named one (`createToken`)'
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-linker',
    description: 'The cookie that `signIn` sets, for pages of the hub. Without https its name is `linker-` and the port'
  },
  webhookTimestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Linker-Timestamp',
    description: 'Unix time in milliseconds, at most five minutes from the time of the hub'
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Linker-Signature',
    description: '`sha256=` and the hex HMAC-SHA256 of timestamp, dot and body, by the secret of the webhooks'
  },
  webhookToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'For platforms that send a fixed token and cannot sign, as their adapter declares'
  }
}

/**
 * Names the scope that a token needs; OpenAPI 3.1 allows roles for every kind of security. An empty
 * list means that everybody may call.
 */
export function securityOf (scope: unknown): OpenAPIV3_1.SecurityRequirementObject[] {
  if (scope === 'webhook') return [{ webhookTimestamp: [], webhookSignature: [] }, { webhookToken: [] }]
  return isTokenScope(scope) ? [{ token: [scope] }, { session: [scope] }] : []
}
