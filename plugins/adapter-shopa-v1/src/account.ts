import type { Account } from '@linker/sdk'
import type { ShopClient } from './client.ts'
import { shopUrlOf, type ShopContext } from './config.ts'
import { isShopId } from './products/ids.ts'
import { reference } from './webservice/row.ts'

/** The only shop of an installation that nobody has extended. */
const firstShopId = '1'

/**
 * Names the account by the shop's address and its id within the installation, because the
 * webservice tells no id of the installation itself. Leaves the scheme out: the same shop answers
 * over http and https.
 */
export async function readAccount (
  client: Pick<ShopClient, 'list'>,
  { config, credentials }: Pick<ShopContext, 'config' | 'credentials'>
): Promise<Account> {
  // Ask even when the config names the shop: a mistyped address must not become an account.
  const [row] = await client.list('stock_availables', { display: '[id_shop]', sort: '[id_ASC]', limit: 1 })
  const told = reference(row?.id_shop)
  // Shops that share their stock have the id 0 in its rows, and an empty shop has no row.
  const shopId = config.shopId ?? (isShopId(told) ? told : firstShopId)
  const { host, pathname } = new URL(shopUrlOf(credentials.apiUrl))
  const address = `${host}${pathname.replace(/\/+$/, '')}`
  return { id: `${address}#${shopId}`, name: address }
}
