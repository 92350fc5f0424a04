import { startMktA } from '@linker/simulators'
import { createClock, send } from '../support.ts'

interface Test {
  teardown: (close: () => unknown) => void
}

export const application = {
  clientId: 'the-client',
  clientSecret: 'the-secret',
  redirectUri: 'https://hub.example/oauth/callback?step=1'
}
export const mediaType = 'application/vnd.mkta.public.v1+json'
export const client = `Basic ${btoa(`${application.clientId}:${application.clientSecret}`)}`

/** Opens a marketplace with a stopped clock and a token of its seller. */
export async function openMktA (t: Test) {
  const clock = createClock('2025-01-01T12:00:00.000Z')
  const market = await startMktA({ application, now: clock.now })
  t.teardown(market.close)
  const { accessToken } = market.issueTokens()

  function call (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const all = {
      authorization: `Bearer ${accessToken}`,
      accept: mediaType,
      ...body === undefined ? {} : { 'content-type': mediaType },
      ...headers
    }
    return send(`${market.rest.url}${path}`, {
      method,
      headers: all,
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
  }

  function me (token: string) {
    return call('GET', '/me', undefined, { authorization: `Bearer ${token}` })
  }

  /** Returns the address to which the consent page sends the browser. */
  async function authorise (more: Record<string, string> = {}): Promise<URL> {
    const { clientId, redirectUri } = application
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      state: 'the-state',
      ...more
    })
    const answer = await send(`${market.web.url}/auth/oauth/authorize?${query}`)
    return new URL(String(answer.headers.location))
  }

  async function token (form: Record<string, string>, authorization = client) {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await send(`${market.web.url}/auth/oauth/token`, {
      method: 'POST',
      headers,
      body: String(new URLSearchParams(form))
    })
    return { status: answer.status, body: answer.json() as Record<string, unknown> }
  }

  return { clock, market, call, me, authorise, token }
}
