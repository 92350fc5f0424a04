import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import type { OpenModule } from '../../module-client.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import type { CartIds, PricedLine } from './cart.ts'
import { orderReferenceOf } from './order-reference.ts'

const payment = 'Marketplace'

/** The parts of an order. Amounts are decimals. */
export interface Prepared {
  ids: CartIds
  lines: PricedLine[]
  /** The platform that the order comes from. */
  source: string
  total: string
  shipping: { net: string, gross: string }
  products: { net: string, gross: string }
}

/**
 * Returns the function that makes the order of a cart and returns its id: through the shop-side
 * module, or by the webservice alone.
 */
export function createPlaceOrder (
  client: ShopClient,
  { config }: ShopContext,
  module: OpenModule | undefined
): (cartId: string, prepared: Prepared, order: { stateId: string, reference: string }) => Promise<string> {
  if (module === undefined) {
    return (cartId, prepared) => client.add('orders', orderXml(cartId, prepared, config.paymentModule))
  }
  return async (cartId, { shipping, source, total }, { stateId, reference }) => {
    await module.priceShipping({
      id_cart: Number(cartId),
      amount_tax_excl: Number(shipping.net),
      amount_tax_incl: Number(shipping.gross),
      source
    })
    return module.importOrder({
      id_cart: Number(cartId),
      id_order_state: Number(stateId),
      amount_paid: Number(total),
      payment_method: payment,
      order_reference: orderReferenceOf(reference)
    })
  }
}

function orderXml (cartId: string, { ids, total, shipping, products }: Prepared, paymentModule: string): string {
  return recordXml('order', {
    id_address_delivery: ids.delivery,
    id_address_invoice: ids.invoice,
    id_cart: cartId,
    id_currency: ids.currency,
    id_lang: ids.language,
    id_customer: ids.customer,
    id_carrier: ids.carrier,
    module: paymentModule,
    payment,
    total_paid: total,
    total_paid_real: total,
    total_products: products.net,
    total_products_wt: products.gross,
    total_shipping: shipping.gross,
    total_shipping_tax_incl: shipping.gross,
    conversion_rate: '1.000000'
  })
}
