import { NotFoundError, platformRoute, RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import { Config, resolveEnvironment } from '../config.ts'
import type { PlatformHost } from '../route.ts'
import { authorisationSeconds, type Authorisation } from './authorisation.ts'

const ConnectionId = Type.String({
  format: 'uuid',
  description: 'Authorise this connection again instead of making one; the account must be the same'
})

const Body = Type.Object({
  clientId: Type.String({ minLength: 1, maxLength: 200, description: 'Of the application at the marketplace' }),
  clientSecret: Type.String({
    minLength: 1,
    maxLength: 500,
    secret: true,
    description: 'Of the same application. The hub keeps it encrypted until the browser comes back, ten minutes at most'
  }),
  redirectUri: Type.String({
    minLength: 1,
    maxLength: 2_000,
    format: 'uri',
    description: 'Exactly as it is registered at the marketplace. https, or http on localhost with `sandbox`'
  }),
  environment: Config.properties.environment,
  connectionName: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the new connection' }),
  connectionId: Type.Optional(ConnectionId)
}, {
  additionalProperties: false,
  examples: [{
    clientId: '7d1f3c0a9b2e4856',
    clientSecret: 'the secret of the application',
    redirectUri: 'https://hub.example/integrations/mkta/oauth/callback',
    environment: 'production',
    connectionName: 'Our account'
  }]
})
type Body = Static<typeof Body>

const Answer = Type.Object({
  authorizationUrl: Type.String({ description: 'The seller opens it in a browser within ten minutes' }),
  state: Type.String()
}, {
  examples: [{
    authorizationUrl: 'https://mkta.example/auth/oauth/authorize?client_id=7d1f3c0a9b2e4856&state=jV7b0cVq',
    state: 'jV7b0cVq'
  }]
})

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `POST /oauth/connect`: begins the authorisation of an account (specification, section 4.1). */
export const connect = platformRoute({
  method: 'POST',
  path: '/oauth/connect',
  auth: 'admin',
  summary: 'Begin the authorisation of an account; answers the address that its seller opens in a browser',
  schema: { body: Body, response: { 200: Answer } },
  async handler ({ body }, host: PlatformHost) {
    checkRedirectUri(body)
    if (body.connectionId !== undefined) await checkConnection(body.connectionId, body, host)
    const { webBaseUrl } = resolveEnvironment(body.environment, host.platform)
    const { connectionId, clientId, clientSecret, redirectUri, environment, connectionName } = body
    const codeVerifier = generateRandomCodeVerifier()
    const kept: Authorisation = {
      id: randomUUID(),
      environment,
      clientId,
      clientSecret,
      redirectUri,
      codeVerifier,
      connectionName,
      connectionId
    }
    const state = await host.flows.begin(kept, { ttlSeconds: authorisationSeconds })
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256'
    })
    return {
      headers: { 'cache-control': 'no-store' },
      body: { authorizationUrl: `${webBaseUrl.replace(/\/+$/, '')}/auth/oauth/authorize?${query}`, state }
    }
  }
})

function checkRedirectUri ({ redirectUri, environment }: Body): void {
  const { protocol, hostname, hash, username } = new URL(redirectUri)
  const isDevelopment = protocol === 'http:' && localHosts.has(hostname) && environment === 'sandbox'
  if (protocol !== 'https:' && !isDevelopment) {
    throw refusal('redirectUri', 'scheme', 'must be https; http is permitted on localhost with the environment sandbox')
  }
  if (hash !== '' || username !== '') throw refusal('redirectUri', 'form', 'must have no fragment and no user')
}

async function checkConnection (
  connectionId: string,
  { environment }: Body,
  { connections }: PlatformHost
): Promise<void> {
  const connection = await connections.get(connectionId)
  if (connection === undefined) throw new NotFoundError('Connection not found')
  if (connection.config.environment !== environment) {
    throw refusal('environment', 'connection', `must be ${connection.config.environment}, like that of the connection`)
  }
}

function refusal (member: string, code: string, message: string): RejectedError {
  return new RejectedError(`${member} ${message}`, { fields: [{ pointer: `/${member}`, code, message }] })
}
