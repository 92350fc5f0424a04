import { TransientError, type DeliveryMethod, type HttpClient } from '@linker/sdk'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

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
  const priceLists = await read(http, 'delivery/priceListsDetails', PriceLists)
  const dictionary = await read(http, 'dictionaries/deliveryMethods', Dictionary)
  const known = new Map(dictionary.map(method => [method.id, method]))
  const offered = new Set(priceLists.flatMap(({ prices }) => prices.map(({ deliveryMethod }) => deliveryMethod.id)))
  return [...offered].map(id => {
    const { name = id, cod } = known.get(id) ?? {}
    return { id, name, cashOnDelivery: cod ?? undefined }
  })
}

async function read<Schema extends TSchema> (http: HttpClient, path: string, schema: Schema): Promise<Static<Schema>> {
  const answer = await http.json({ method: 'GET', path })
  if (!Value.Check(schema, answer)) throw new TransientError(`the marketplace answered ${path} in an unknown form`)
  return answer
}
