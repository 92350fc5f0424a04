import type { DeliveryMethod, HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'

const Price = Type.Object({ deliveryMethod: Type.Object({ id: Type.String({ minLength: 1 }) }) })
const PriceLists = Type.Array(Type.Object({ prices: Type.Array(Price) }))
const Method = Type.Object({
  id: Type.String(),
  name: Type.String(),
  cod: Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
})
const Dictionary = Type.Array(Method)

/**
 * Lists the delivery methods that have a price in one of the shop's price lists. Their names come
 * from the marketplace's dictionary.
 */
export async function listDeliveryMethods (http: HttpClient): Promise<DeliveryMethod[]> {
  const priceLists = await http.get('delivery/priceListsDetails', { as: PriceLists })
  const dictionary = await http.get('dictionaries/deliveryMethods', { as: Dictionary })
  const known = new Map(dictionary.map(method => [method.id, method]))
  const offered = new Set(priceLists.flatMap(({ prices }) => prices.map(({ deliveryMethod }) => deliveryMethod.id)))
  return [...offered].map(id => {
    const { name = id, cod } = known.get(id) ?? {}
    return { id, name, cashOnDelivery: cod ?? undefined }
  })
}
