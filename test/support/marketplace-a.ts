import { createClock, startMktA, type Clock, type MktA } from '@linker/simulators'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { request } from 'undici'
import { createApi, type Answer } from './api.ts'
import { buildTestHub, type TestHub, type TestHubOptions } from './hub.ts'

/** The application that the operator registered at the marketplace. */
export interface Application {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** A hub and a simulated marketplace A. */
export interface MarketplaceA {
  hub: TestHub
  market: MktA
  application: Application
  /** The marketplace's clock. */
  clock: Clock
  /** Begins an authorisation. */
  begin(more?: object): Promise<Answer>
  /** Consents as the seller; answers the query that the marketplace sends the browser back with. */
  consent(authorizationUrl: string): Promise<URLSearchParams>
  /** Calls the hub as the browser that comes back. */
  comeBack(query: URLSearchParams): Promise<Answer>
  /** Does all three steps and returns the id of the connection. */
  authorise(more?: object): Promise<string>
}

export const callbackPath = '/integrations/mkta/oauth/callback'

/** Makes an application for one test, so that no test finds what belongs to another. */
export function makeApplication (redirectUri: string): Application {
  return { clientId: randomUUID(), clientSecret: randomBytes(24).toString('hex'), redirectUri }
}

/**
 * Returns `platforms.mkta` for a simulated marketplace. Without the secret of the application, the
 * hub cannot renew tokens.
 */
export function platformOf (
  market: MktA,
  { clientId, clientSecret }: Application,
  hasSecret = true
): { mkta: Record<string, unknown> } {
  return {
    mkta: {
      sandbox: {
        webBaseUrl: market.web.url,
        restBaseUrl: market.rest.url,
        ...(hasSecret ? { clients: { [clientId]: clientSecret } } : {})
      }
    }
  }
}

/** Starts a simulated marketplace A with its own application, without a hub. */
export async function startMarketplaceA (t: Test): Promise<Pick<MarketplaceA, 'market' | 'application' | 'clock'>> {
  const clock = createClock()
  const application = makeApplication(`https://hub.example${callbackPath}`)
  const market = await startMktA({ application, now: clock.now })
  t.teardown(() => market.close())
  return { market, application, clock }
}

/** Returns the steps of an authorisation at a hub. */
export function authoriseAt (
  hub: Pick<TestHub, 'call' | 'url'>,
  application: Application
): Pick<MarketplaceA, 'begin' | 'consent' | 'comeBack' | 'authorise'> {
  const begin = (more: object = {}): Promise<Answer> =>
    hub.call('POST', '/integrations/mkta/oauth/connect', {
      body: { ...application, environment: 'sandbox', connectionName: 'Marketplace A', ...more }
    })
  const consent = (authorizationUrl: string): Promise<URLSearchParams> =>
    consentAt(authorizationUrl, application.redirectUri)
  const comeBack = (query: URLSearchParams): Promise<Answer> =>
    createApi(hub.url, '')('GET', `${callbackPath}?${query}`)
  return {
    begin,
    consent,
    comeBack,
    async authorise (more) {
      const begun = await begin(more)
      if (begun.status !== 200) throw new Error(`the authorisation did not begin: ${begun.text}`)
      const { authorizationUrl } = begun.json as { authorizationUrl: string }
      const ended = await comeBack(await consent(authorizationUrl))
      if (ended.status !== 200) throw new Error(`the account was not connected: ${ended.text}`)
      return (ended.json as { connectionId: string }).connectionId
    }
  }
}

export interface MarketplaceAOptions extends TestHubOptions {
  /** Whether the settings hold the secret of the application. */
  hasSecret?: boolean
}

export async function openMarketplaceA (
  t: Test,
  { hasSecret = true, ...options }: MarketplaceAOptions
): Promise<MarketplaceA> {
  const place = await startMarketplaceA(t)
  const hub = await buildTestHub(t, { ...options, platforms: platformOf(place.market, place.application, hasSecret) })
  return { ...place, hub, ...authoriseAt(hub, place.application) }
}

async function consentAt (authorizationUrl: string, redirectUri: string): Promise<URLSearchParams> {
  const { statusCode, headers: { location }, body } = await request(authorizationUrl)
  if (statusCode !== 302 || typeof location !== 'string' || !location.startsWith(redirectUri)) {
    throw new Error(`the marketplace answered ${statusCode}: ${await body.text()}`)
  }
  await body.dump()
  return new URL(location).searchParams
}
