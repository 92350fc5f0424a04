import { TransientError, type TestResult } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readRestSettings, type MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'

const testTimeoutMs = 5_000

const Account = Type.Object({ id: Type.String({ minLength: 1 }), login: Type.String() })

/** What the adapter needs of the marketplace's REST interface. */
export interface MarketplaceClient {
  /** Proves address and token with the account that the token belongs to. */
  test (): Promise<TestResult>
}

export function createClient (context: MarketplaceContext): MarketplaceClient {
  const { baseUrl, mediaType } = readRestSettings(context.config.environment, context.platform)
  const http = context.http({
    baseUrl,
    auth: { type: 'bearer', token: context.credentials.accessToken },
    // Without a language the marketplace picks one, and some of its validation depends on it.
    headers: { 'accept-language': 'pl-PL' },
    classify
  })

  async function test (): Promise<TestResult> {
    const account = await http.json({ method: 'GET', path: 'me', headers: { accept: mediaType }, timeoutMs: testTimeoutMs })
    if (!Value.Check(Account, account)) throw new TransientError('the marketplace described the account in an unknown form')
    return { message: `the token belongs to the account '${account.login}' (${account.id})` }
  }

  return { test }
}
