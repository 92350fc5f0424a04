import { ConfigurationError } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import { readAll } from '../../webservice/paging.ts'
import { isSet, reference, text } from '../../webservice/row.ts'

export interface Currency {
  id: string
  /** The shop's `conversion_rate`: units of this currency for one of the default currency. */
  rate: string
}

/**
 * Finds a currency of the shop. Throws when it is missing, deleted or not active in the shop: an
 * order in another currency would have wrong prices.
 */
export async function findCurrency (client: ShopClient, isoCode: string): Promise<Currency> {
  const rows = await readAll(client, 'currencies', { display: 'full' })
  const usable = rows.filter(row => isSet(row.active) && !isSet(row.deleted))
  const codeOf = (row: typeof usable[number]) => text(row.iso_code)?.toUpperCase()
  const currency = usable.find(row => codeOf(row) === isoCode)
  if (currency === undefined) {
    const available = usable.map(codeOf).join(', ') || 'none'
    const remedy = `install and activate ${isoCode} in the shop`
    throw new ConfigurationError(`the order is in ${isoCode}, and the shop has ${available}: ${remedy}`)
  }
  return { id: reference(currency.id), rate: text(currency.conversion_rate) ?? '1.000000' }
}
