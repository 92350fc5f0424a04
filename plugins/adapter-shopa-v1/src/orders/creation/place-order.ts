import { ConfigurationError } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import type { OpenModule } from '../../module-client.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import type { CartIds, PricedLine } from './cart.ts'
import { orderReferenceOf } from './order-reference.ts'

/** The parts of an order. Amounts are decimals. */
export interface Prepared {
  ids: CartIds
  lines: PricedLine[]
  /** The platform that the order comes from. */
  source: string
  /** The name of the payment, which staff see. */
  payment: string
  /** The amount that the shop books as paid. It is 0 for an order that is not paid. */
  paid: string
  /** The `conversion_rate` of the order's currency. */
  rate: string
  total: string
  shipping: { net: string, gross: string }
  products: { net: string, gross: string }
}

export const missingPaymentModule = 'orders that the webservice makes need config.paymentModule, the name of a ' +
  'payment module that is active in the shop. It is the name of its folder below `modules/`'

/**
 * Returns the function that makes the order of a cart and returns its id: through the shop-side
 * module, or by the webservice alone. Throws when the webservice has no payment module to name.
 */
export function createPlaceOrder (
  client: ShopClient,
  { config }: ShopContext,
  module: OpenModule | undefined
): (cartId: string, prepared: Prepared, order: { stateId: string, reference: string }) => Promise<string> {
  const { paymentModule } = config
  if (module === undefined) {
    if (paymentModule === undefined) throw new ConfigurationError(missingPaymentModule)
    return (cartId, prepared) => client.add('orders', orderXml(cartId, prepared, paymentModule))
  }
  return async (cartId, { shipping, source, payment, paid }, { stateId, reference }) => {
    await module.priceShipping({
      id_cart: Number(cartId),
      amount_tax_excl: Number(shipping.net),
      amount_tax_incl: Number(shipping.gross),
      source
    })
    return module.importOrder({
      id_cart: Number(cartId),
      id_order_state: Number(stateId),
      amount_paid: Number(paid),
      payment_method: payment,
      order_reference: orderReferenceOf(reference)
    })
  }
}

// The webservice always makes a paid order: with another amount than the cart's total, it would
// be a payment error.
function orderXml (
  cartId: string,
  { ids, total, shipping, products, payment, rate }: Prepared,
  paymentModule: string
): string {
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
    conversion_rate: rate
  })
}
