import type { Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import type { JobRequest } from '../../src/jobs/job.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { readHistory, readOrder, type OrderRow } from '../../src/orders/store.ts'
import type { Jobs } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { openSale, type Sale } from './sale.ts'

/** An order of a sale, as the hub read it first. Its shop has the variant of every offer. */
export interface PlacedOrder extends Sale {
  orderId: string
  /** The jobs that followed from the reading. */
  jobs: JobRequest[]
  /** Changes the row by SQL. */
  set(change: string): Promise<unknown>
  /** Stores that the shop has the order as `77`. */
  putAtShop(): Promise<unknown>
  read(): Promise<OrderRow>
  events(): Promise<string[]>
}

export async function placeOrder (jobs: Jobs, more: Partial<Order> = {}): Promise<PlacedOrder> {
  const { database, database: { query } } = jobs
  const sale = await openSale(jobs)
  const order = orderOf(randomUUID(), more)
  const ingested = await database.transaction(transaction => ingestOrder(transaction, sale.market, order))
  const { orderId } = ingested
  const set = (change: string): Promise<unknown> => query(`update orders set ${change} where id = $1`, [orderId])
  return {
    ...sale,
    orderId,
    jobs: ingested.jobs,
    set,
    putAtShop: () =>
      set(`status = 'created', destination_connection_id = '${sale.shop}', destination_external_id = '77'`),
    async read () {
      const row = await readOrder(query, orderId)
      if (row === undefined) throw new Error(`order ${orderId} is gone`)
      return row
    },
    events: async () => (await readHistory(query, orderId)).map(({ event }) => event)
  }
}
