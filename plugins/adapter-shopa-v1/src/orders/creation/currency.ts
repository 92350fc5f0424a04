import { ConfigurationError } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import { isSet, reference, text } from '../../webservice/row.ts'

/**
 * Returns the shop's id of a currency. Throws when the currency is missing, deleted or not active
 * in the shop: an order in another currency would have wrong prices.
 */
export async function findCurrency (client: ShopClient, isoCode: string): Promise<string> {
  const rows = await client.list('currencies', { 'filter[iso_code]': `[${isoCode}]`, display: 'full' })
  const currency = rows.find(row =>
    text(row.iso_code)?.toUpperCase() === isoCode && isSet(row.active) && !isSet(row.deleted)
  )
  if (currency === undefined) {
    throw new ConfigurationError(`currency ${isoCode} is not available in the shop: install and activate it`)
  }
  return reference(currency.id)
}
