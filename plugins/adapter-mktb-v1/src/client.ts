import type { HttpClient, TestResult } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { resolveBaseUrl } from './base-url.ts'
import type { MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'

const testTimeoutMs = 5_000

const Account = Type.Object({ name: Type.String(), active: Type.Boolean() })

export function createClient (context: MarketplaceContext): HttpClient {
  return context.http({
    baseUrl: resolveBaseUrl(context.config, context.platform),
    auth: { type: 'bearer', token: context.credentials.apiKey },
    classify
  })
}

/**
 * Proves address and key. A shop that is switched off answers like any other: nothing in it can be
 * bought, so that is a warning.
 */
export async function testConnection (http: HttpClient): Promise<TestResult> {
  const account = await http.json({ method: 'GET', path: 'me', timeoutMs: testTimeoutMs })
  if (!Value.Check(Account, account)) {
    return { warnings: ['the marketplace accepted the key and described the shop in an unknown form'] }
  }
  return {
    message: `the key opens the shop '${account.name}'`,
    ...(account.active
      ? {}
      : { warnings: ['the shop is not active on the marketplace: none of its offers can be bought'] })
  }
}
