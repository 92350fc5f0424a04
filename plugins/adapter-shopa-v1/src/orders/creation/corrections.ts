import type { ShopClient } from '../../client.ts'
import { divideHalfUp, formatAmount, parseDecimal } from '../../products/gross-amount.ts'
import { readAll } from '../../webservice/paging.ts'
import { reference, text, type Row } from '../../webservice/row.ts'
import { changeOrder, replaceCarrierRow } from '../changes.ts'
import type { Plan } from './progress.ts'

/**
 * Gives the newest carrier row the wanted carrier and shipping costs. Totals do not follow. Each of
 * these functions returns whether it wrote anything.
 */
export async function correctCarrierRow (client: ShopClient, row: Row | undefined, plan: Plan): Promise<boolean> {
  if (row === undefined) return false
  const { shipping: { net, gross }, carrier } = plan
  const changed: Record<string, string> = {
    ...isSame(row.shipping_cost_tax_incl, gross) ? {} : { shipping_cost_tax_incl: gross, shipping_cost_tax_excl: net },
    ...carrier === undefined || reference(row.id_carrier) === carrier.id ? {} : { id_carrier: carrier.id }
  }
  if (Object.keys(changed).length === 0) return false
  await replaceCarrierRow(client, row, changed)
  return true
}

/**
 * Gives an order whose shipping the shop priced differently the totals that the buyer paid. The
 * shop recalculates nothing. Leaves an order whose products cost something else.
 */
export async function correctTotals (client: ShopClient, row: Row, plan: Plan): Promise<boolean> {
  const { total, shipping, products } = plan
  const isOfShipping = products !== undefined && isSame(row.total_products_wt, products)
  if (isSame(totalOf(row), total) || !isOfShipping) return false
  const net = (parseDecimal(row.total_products) ?? 0n) + (parseDecimal(shipping.net) ?? 0n)
  await changeOrder(client, reference(row.id), {
    total_paid: total,
    total_paid_tax_incl: total,
    total_paid_tax_excl: formatAmount(divideHalfUp(net, 1_000n), 6),
    total_shipping: shipping.gross,
    total_shipping_tax_incl: shipping.gross,
    total_shipping_tax_excl: shipping.net
  })
  return true
}

/** Takes away the payments of an order: the webservice books one for every order that it makes. */
export async function removePayments (client: ShopClient, row: Row): Promise<boolean> {
  const name = text(row.reference)
  if (name === undefined || isSame(row.total_paid_real, '0')) return false
  const query = { 'filter[order_reference]': `[${name}]`, display: 'full' }
  const payments = await readAll(client, 'order_payments', query)
  for (const payment of payments.filter(payment => text(payment.order_reference) === name)) {
    await client.remove('order_payments', reference(payment.id))
  }
  await changeOrder(client, reference(row.id), { total_paid_real: '0.000000' })
  return true
}

/** Reads the total of an order's row. */
export function totalOf (row: Row): string | undefined {
  return text(row.total_paid_tax_incl) ?? text(row.total_paid)
}

export function isSame (left: unknown, right: string): boolean {
  return parseDecimal(left) === parseDecimal(right)
}
