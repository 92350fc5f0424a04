import { Nullable, type DeliveryMethod, type HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { MarketplaceContext } from '../config.ts'

const Method = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  paymentPolicy: Nullable(Type.String())
})
const List = Type.Object({ deliveryMethods: Type.Array(Method) })

/**
 * Lists the delivery methods of every country site in the config, each once. The sandbox answers
 * none when the request names no site.
 */
export async function listDeliveryMethods (
  http: HttpClient,
  { config }: MarketplaceContext
): Promise<DeliveryMethod[]> {
  const methods = new Map<string, DeliveryMethod>()
  for (const marketplace of new Set(config.marketplaceIds)) {
    const { deliveryMethods } = await http.get('sale/delivery-methods', { query: { marketplace }, as: List })
    for (const { id, name, paymentPolicy } of deliveryMethods) {
      methods.set(id, {
        id,
        name,
        cashOnDelivery: typeof paymentPolicy === 'string' ? paymentPolicy === 'CASH_ON_DELIVERY' : undefined
      })
    }
  }
  return [...methods.values()]
}
