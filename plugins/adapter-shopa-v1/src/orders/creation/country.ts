import { RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { isSet, reference, text } from '../../webservice/row.ts'

const keepSeconds = 24 * 3_600

const Country = Type.Object({ id: Type.String(), isoCode: Type.String(), postcodeFormat: Type.String() })
export type Country = Static<typeof Country>

/**
 * Returns the function that finds a country that the shop delivers to. A country that it does not
 * deliver to is asked for again each time: somebody may have activated it.
 */
export function createCountries (client: ShopClient, { kv }: ShopContext): (isoCode: string) => Promise<Country> {
  return async code => {
    const isoCode = code.toUpperCase()
    const known = await kv.get(`country:${isoCode}`)
    if (Value.Check(Country, known)) return known

    const rows = await client.list('countries', { 'filter[iso_code]': `[${isoCode}]`, display: 'full', limit: 10 })
    const row = rows.find(row => text(row.iso_code)?.toUpperCase() === isoCode)
    // The shop accepts an address in an inactive country, but then has no carrier for the order.
    if (row === undefined || !isSet(row.active)) throw new RejectedError(`Country ${isoCode} not found / not active`)
    const country = {
      id: reference(row.id),
      isoCode,
      postcodeFormat: isSet(row.need_zip_code) ? text(row.zip_code_format) ?? '' : ''
    }
    await kv.set(`country:${isoCode}`, country, { ttlSeconds: keepSeconds })
    return country
  }
}
