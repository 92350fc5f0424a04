import { platformRoute, RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { resolveEnvironment, type Credentials, type Environment } from '../config.ts'
import type { PlatformHost } from '../route.ts'
import { readAccount } from './account.ts'
import { Authorisation } from './authorisation.ts'
import { identityKey, type Identity } from './identity.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

const Query = Type.Object({
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
  error_description: Type.Optional(Type.String({ maxLength: 2_000 }))
})
type Query = Static<typeof Query>

const Answer = Type.Object({
  message: Type.String(),
  connectionId: Type.String({ format: 'uuid' }),
  connectionName: Type.String(),
  refreshAvailable: Type.Boolean({
    description: 'False: the hub has no client secret of this application in its settings, ' +
      'so the connection has to be authorised again when the token expires'
  })
}, {
  examples: [{
    message: 'The account is connected',
    connectionId: '0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41',
    connectionName: 'Our account',
    refreshAvailable: true
  }]
})
type Answer = Static<typeof Answer>

/**
 * `GET /oauth/callback`: the marketplace sends the browser here (specification, section 4.1). Any
 * caller who has the state may end the authorisation, once. A browser may repeat the request, and
 * gets the same answer for five minutes; a request with another code does not.
 */
export const callback = platformRoute({
  method: 'GET',
  path: '/oauth/callback',
  auth: 'public',
  summary: 'End of the authorisation, opened by the browser',
  schema: { query: Query, response: { 200: Answer } },
  async handler ({ query }, host: PlatformHost) {
    const answer = await host.flows.complete(
      query.state ?? '',
      async kept => finish(Value.Parse(Authorisation, kept), query, host),
      { proof: query.code }
    )
    if (answer === undefined) throw new RejectedError('Invalid state parameter')
    return { headers: { 'cache-control': 'no-store' }, body: answer }
  }
})

async function finish (kept: Authorisation, query: Query, host: PlatformHost): Promise<Answer> {
  const environment = resolveEnvironment(kept.environment, host.platform)
  const credentials = await exchange(kept, query, environment, host)
  const account = await readAccount(host.http, environment, credentials.accessToken)
  const { id, name } = await (kept.connectionId === undefined
    ? create(kept, credentials, host)
    : authoriseAgain(kept.connectionId, kept, credentials, host))
  return {
    message: `Connected to the account '${account.login}'`,
    connectionId: id,
    connectionName: name,
    refreshAvailable: environment.clients.has(kept.clientId)
  }
}

function exchange (
  { clientId, clientSecret, redirectUri, codeVerifier }: Authorisation,
  { code, state = '', error, error_description: description }: Query,
  { webBaseUrl, userAgent }: Environment,
  { http, clock }: PlatformHost
): Promise<Credentials> {
  if (code === undefined && error === undefined) {
    throw new RejectedError('the marketplace sent neither a code nor an error', {
      fields: [{ pointer: '/code', code: 'required', message: 'is missing' }]
    })
  }
  const given = Object.entries({ code, state, error, error_description: description }).flatMap(
    ([name, value]): [string, string][] => value === undefined ? [] : [[name, value]]
  )
  const callback = new URLSearchParams(given)
  const now = () => clock.now()
  const endpoint = createTokenEndpoint({ webBaseUrl, userAgent, http, clientId, clientSecret, now })
  return endpoint.exchangeCode({ callback, state, redirectUri, codeVerifier })
}

function create (
  { id, environment, clientId, connectionName: name }: Authorisation,
  credentials: Credentials,
  { connections }: PlatformHost
): Promise<{ id: string, name: string }> {
  return connections.create({
    name,
    config: { environment },
    credentials,
    credentialsLabel: environment,
    values: { [identityKey]: { clientId } satisfies Identity }
  }, { key: id })
}

async function authoriseAgain (
  connectionId: string,
  { clientId }: Authorisation,
  credentials: Credentials,
  { connections }: PlatformHost
): Promise<{ id: string, name: string }> {
  const replaced = await connections.replaceCredentials(connectionId, credentials, {
    [identityKey]: { clientId } satisfies Identity
  })
  if (replaced === undefined) throw new RejectedError('the connection was removed meanwhile')
  return replaced
}
