import type { Account, HttpClient, TestResult } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { resolveBaseUrl } from './base-url.ts'
import type { MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'

const testTimeoutMs = 5_000
const inactiveWarning = 'the shop is not active on the marketplace: none of its offers can be bought'
const untoldWarning =
  'config.orderWriteBack is off: the hub never tells the marketplace that an order was shipped, nor ' +
  'the tracking number'

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
 * offers cannot be bought: that is a warning. So is a hub that does not write orders back.
 */
export async function testConnection (
  http: HttpClient,
  { config }: Pick<MarketplaceContext, 'config'>
): Promise<TestResult> {
  const untold = config.orderWriteBack ? [] : [untoldWarning]
  const shop = await http.get('me', { timeoutMs: testTimeoutMs })
  if (!Value.Check(Shop, shop)) {
    return { warnings: ['the marketplace accepted the key but described the shop in an unknown form', ...untold] }
  }
  const message = `the key opens the shop '${shop.name}'`
  const warnings = [...shop.active ? [] : [inactiveWarning], ...untold]
  return warnings.length === 0 ? { message } : { message, warnings }
}

/** Tells the shop that the key opens. A shop may have several keys. */
export async function readAccount (http: HttpClient): Promise<Account> {
  const { id, name } = await http.get('me', { timeoutMs: testTimeoutMs, as: NamedShop })
  return { id: String(id), name }
}
