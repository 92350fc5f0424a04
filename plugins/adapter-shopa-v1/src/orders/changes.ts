import { NotFoundError, RejectedError, type OrderProcessorManager, type OrderStatusChange } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { readAll } from '../webservice/paging.ts'
import { recordXml } from '../webservice/record-xml.ts'
import { reference, scalarsOf, text, type Row } from '../webservice/row.ts'
import { backorders, paymentError, stateIdOf, type OrderState, type ReadState } from './states.ts'

type Changes = Required<Pick<OrderProcessorManager, 'updateOrderStatus' | 'addTracking' | 'cancelOrder'>>

const order = ['pending', 'processing', 'shipped', 'delivered']

/** The changes that the hub makes to an order of the shop. */
export function createChanges (
  client: ShopClient,
  { config }: ShopContext,
  readStates: () => Promise<ReadState>
): Changes {
  async function currentState (externalId: string): Promise<OrderState & { id: string }> {
    const row = await readOrderRow(client, externalId)
    const id = reference(row.current_state)
    return { id, ...(await readStates())(id) }
  }

  async function cancelOrder (externalId: string): Promise<void> {
    const { status } = await currentState(externalId)
    if (status === 'cancelled') return
    if (status !== 'pending' && status !== 'processing') {
      throw new RejectedError(`order ${externalId} is ${status} in the shop, it cannot be cancelled any more`)
    }
    await setState(client, externalId, stateIdOf(config, 'cancelled'))
  }

  async function updateOrderStatus (externalId: string, wanted: OrderStatusChange): Promise<void> {
    if (wanted === 'cancelled') return cancelOrder(externalId)
    const { id, status } = await currentState(externalId)
    // A backorder says that a piece is missing, which "payment accepted" would hide.
    if (wanted === 'processing' && backorders.includes(id)) return
    if (id === paymentError && (await readStates())(stateIdOf(config, wanted)).isPaid) {
      const reason = 'a paid state would book a second payment'
      throw new RejectedError(`order ${externalId} is a payment error in the shop: ${reason}. Settle it there first`)
    }
    if (!order.includes(status)) {
      throw new RejectedError(`order ${externalId} is ${status} in the shop, it cannot become ${wanted}`)
    }
    // A later status counts as reached: a delivered order does not go back to "shipped".
    if (order.indexOf(status) < order.indexOf(wanted)) await setState(client, externalId, stateIdOf(config, wanted))
  }

  async function addTracking (externalId: string, { number }: { number: string }): Promise<void> {
    const row = await newestCarrierRow(client, orderId(externalId))
    if (row === undefined) {
      throw new NotFoundError(`order ${externalId} has no carrier row in the shop, or does not exist`)
    }
    if (text(row.tracking_number) !== number) await replaceCarrierRow(client, row, { tracking_number: number })
  }

  return { cancelOrder, updateOrderStatus, addTracking }
}

/** Reads the order's row from a list, so that no member is missing for being 0. */
export async function readOrderRow (client: ShopClient, externalId: string): Promise<Row> {
  const id = orderId(externalId)
  const rows = await client.list('orders', { 'filter[id]': `[${id}]`, display: 'full' })
  const row = rows.find(row => reference(row.id) === id)
  if (row === undefined) throw new NotFoundError(`order ${id} does not exist in the shop`)
  return row
}

/** Changes members of an order. Older shops have no PATCH, and PUT replaces the whole order. */
export async function changeOrder (
  client: ShopClient,
  externalId: string,
  changed: Readonly<Record<string, string>>
): Promise<void> {
  const id = orderId(externalId)
  if (await client.patch('orders', id, recordXml('order', { id, ...changed }))) return
  // The write before may have changed the row.
  const row = await readOrderRow(client, id)
  await client.put('orders', id, recordXml('order', { ...scalarsOf(row), ...changed }))
}

/** Adds a state to the order's history: the shop then changes stock and documents with it. */
export async function setState (client: ShopClient, externalId: string, stateId: string): Promise<void> {
  await client.add(
    'order_histories',
    recordXml('order_history', { id_order: orderId(externalId), id_order_state: stateId })
  )
}

export async function newestCarrierRow (client: ShopClient, id: string): Promise<Row | undefined> {
  const rows = await readAll(client, 'order_carriers', { 'filter[id_order]': `[${id}]`, display: 'full' })
  return rows.filter(row => reference(row.id_order) === id).at(-1)
}

/** Writes the whole row, because PUT empties the members that the body lacks. */
export async function replaceCarrierRow (
  client: ShopClient,
  row: Row,
  changed: Readonly<Record<string, string>>
): Promise<void> {
  const names = [
    'id',
    'id_order',
    'id_carrier',
    'id_order_invoice',
    'weight',
    'shipping_cost_tax_excl',
    'shipping_cost_tax_incl'
  ]
  const whole = {
    ...Object.fromEntries(names.map(name => [name, reference(row[name])])),
    tracking_number: text(row.tracking_number) ?? '',
    date_add: text(row.date_add) ?? ''
  }
  await client.put('order_carriers', reference(row.id), recordXml('order_carrier', { ...whole, ...changed }))
}

/** Checks an order id. Another text could widen the filter that it goes into. */
export function orderId (externalId: string): string {
  if (!isOrderId(externalId)) {
    throw new NotFoundError(`'${externalId.slice(0, 64)}' is not an order id of this shop`)
  }
  return externalId
}

export function isOrderId (externalId: string): boolean {
  return /^[1-9][0-9]{0,9}$/.test(externalId)
}
