import { isAdapterError, TransientError, type Order, type OrderProcessorManager } from '@linker/sdk'
import { anyOf, type ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { isUpToDate, watermark } from '../webservice/changed-since.ts'
import { createLocalTime } from '../webservice/local-time.ts'
import { readAll, readByIds, readPage } from '../webservice/paging.ts'
import { reference, text, type Row } from '../webservice/row.ts'
import { isOrderId, readOrderRow } from './changes.ts'
import { readOrder, type OrderParts } from './read.ts'
import type { ReadState } from './states.ts'

type Reading = Required<Pick<OrderProcessorManager, 'getOrder' | 'getOrders' | 'listOrders'>>

/**
 * Reads orders with all records that their rows refer to. Many orders need as many requests as one.
 */
export function createReading (
  client: ShopClient,
  { config, log }: ShopContext,
  readStates: () => Promise<ReadState>
): Reading {
  async function readParts (rows: readonly Row[]): Promise<(row: Row) => OrderParts> {
    const ofOrders = { 'filter[id_order]': anyOf(idsOf(rows, 'id')), display: 'full' }
    const [details, carrierRows, addresses, customers, currencies] = await Promise.all([
      readAll(client, 'order_details', ofOrders),
      readAll(client, 'order_carriers', ofOrders),
      readByIds(client, 'addresses', idsOf(rows, 'id_address_delivery', 'id_address_invoice'), { display: 'full' }),
      readByIds(client, 'customers', idsOf(rows, 'id_customer'), { display: '[id,email]' }),
      readByIds(client, 'currencies', idsOf(rows, 'id_currency'), { display: '[id,iso_code]' })
    ])
    const [countries, carriers] = await Promise.all([
      readByIds(client, 'countries', idsOf(addresses, 'id_country'), { display: '[id,iso_code]' }),
      readByIds(client, 'carriers', idsOf([...rows, ...carrierRows], 'id_carrier'), {
        display: '[id,id_reference,name,external_module_name]'
      })
    ])
    const by = (all: readonly Row[]) => new Map(all.map(row => [reference(row.id), row]))
    const byOrder = (all: readonly Row[]) => Map.groupBy(all, row => reference(row.id_order))
    const addressOf = by(addresses)
    const customerOf = by(customers)
    const currencyOf = by(currencies)
    const countryOf = by(countries)
    const carrierOf = by(carriers)
    const detailsOf = byOrder(details)
    const carrierRowsOf = byOrder(carrierRows)

    return row => {
      const carrierRow = carrierRowsOf.get(reference(row.id))?.at(-1)
      const currency = text(currencyOf.get(reference(row.id_currency))?.iso_code)?.toUpperCase()
      if (currency === undefined) {
        throw new TransientError(`the shop does not say the currency of order ${reference(row.id)}`)
      }
      return {
        details: detailsOf.get(reference(row.id)) ?? [],
        delivery: addressOf.get(reference(row.id_address_delivery)),
        invoice: addressOf.get(reference(row.id_address_invoice)),
        customer: customerOf.get(reference(row.id_customer)),
        currency,
        carrierRow,
        carrier: carrierOf.get(reference(carrierRow?.id_carrier ?? row.id_carrier)),
        moduleName: config.moduleName,
        countryCode: id => text(countryOf.get(id)?.iso_code)?.toUpperCase()
      }
    }
  }

  /** Returns the function that reads one of the orders. */
  async function prepare (rows: readonly Row[]): Promise<(row: Row) => Order | undefined> {
    const [readState, partsOf] = await Promise.all([readStates(), readParts(rows)])
    const time = createLocalTime(config.timeZone ?? 'UTC')
    return row => readOrder(row, partsOf(row), { readState, time })
  }

  /** Leaves out an order that cannot be read, so that the page still has the others. */
  function readOrLeaveOut (row: Row, read: (row: Row) => Order | undefined): Order[] {
    const orderExternalId = reference(row.id)
    try {
      const order = read(row)
      if (order !== undefined) return [order]
      log.warn({ orderExternalId }, 'an order without lines is left out')
    } catch (error) {
      if (!isAdapterError(error)) throw error
      log.warn({ orderExternalId, reason: error.message }, 'an order that cannot be read is left out')
    }
    return []
  }

  return {
    async getOrder (externalId) {
      const row = await readOrderRow(client, externalId)
      const order = (await prepare([row]))(row)
      if (order === undefined) throw new TransientError(`the shop does not say what is in order ${externalId}`)
      return order
    },

    async getOrders (externalIds) {
      const rows = await readByIds(client, 'orders', externalIds.filter(isOrderId), { display: 'full' })
      if (rows.length === 0) return []
      const read = await prepare(rows)
      return rows.flatMap(row => readOrLeaveOut(row, read))
    },

    async listOrders ({ cursor, limit, updatedSince }) {
      const after = updatedSince === undefined ? undefined : watermark(updatedSince, config.timeZone)
      const changed = after === undefined ? {} : { date: 1, 'filter[date_upd]': `>[${after}]` }
      const page = await readPage(client, 'orders', { cursor, limit }, { ...changed, display: 'full' }, log)
      const rows = page.rows.filter(row => !isUpToDate(row, after))
      const read = rows.length === 0 ? () => undefined : await prepare(rows)
      const items = rows.flatMap(row => readOrLeaveOut(row, read))
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    }
  }
}

function idsOf (rows: readonly Row[], ...names: string[]): string[] {
  return [...new Set(rows.flatMap(row => names.map(name => reference(row[name]))))].filter(id => id !== '0')
}
