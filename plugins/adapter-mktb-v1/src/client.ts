import type { Account, HttpClient, TestResult } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { resolveBaseUrl } from './base-url.ts'
import type { MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'

const testTimeoutMs = 5_000

const Shop = Type.Object({ name: Type.String(), active: Type.Boolean() })
const NamedShop = Type.Object({ id: Type.Integer(), name: Type.String({ minLength: 1 }) })

export function createClient (context: MarketplaceContext): HttpClient {
  return context.http({
    baseUrl: resolveBaseUrl(context.config, context.platform),
    auth: { type: 'bearer', token: context.credentials.apiKey },
    classify
  })
}

/**
 * Proves the address and the key. A shop that is switched off answers like any other, but its
 * offers cannot be bought: that is a warning.
 */
export async function testConnection (http: HttpClient): Promise<TestResult> {
  const shop = await http.get('me', { timeoutMs: testTimeoutMs })
  if (!Value.Check(Shop, shop)) {
    return { warnings: ['the marketplace accepted the key but described the shop in an unknown form'] }
  }
  const message = `the key opens the shop '${shop.name}'`
  if (shop.active) return { message }
  return { message, warnings: ['the shop is not active on the marketplace: none of its offers can be bought'] }
}

/** Tells the shop that the key opens. A shop may have several keys. */
export async function readAccount (http: HttpClient): Promise<Account> {
  const { id, name } = await http.get('me', { timeoutMs: testTimeoutMs, as: NamedShop })
  return { id: String(id), name }
}
