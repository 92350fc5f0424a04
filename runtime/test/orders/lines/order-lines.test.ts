import type { Order, OrderLine } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../../src/catalog/identity.ts'
import { ingestOrder, orderIdOf } from '../../../src/orders/ingest-order.ts'
import { recordStock } from '../../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { problemDetails } from '../statements.ts'

const line = (externalId: string, offerExternalId: string | undefined, quantity = 1): OrderLine => ({
  externalId,
  ...(offerExternalId === undefined ? {} : { offerExternalId }),
  name: 'Mug',
  quantity,
  unitPrice: { amount: '10.00', currency: 'PLN' }
})

for (const kind of kinds(t)) {
  t.test(`lines that the marketplace changes, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)
    const { query } = database

    /** Opens a marketplace that offers two variants, ten pieces each, and an order there. */
    async function openMarket () {
      const [shop, market] = [await addConnection(), await addConnection()]
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [shop]
      )
      const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(
        database,
        { id: randomUUID(), connectionId: shop, claimedAt: now },
        ['mug', 'lamp'].map(variantExternalId => ({ productExternalId: 'p', variantExternalId, quantity: 10 }))
      )
      for (const name of ['mug', 'lamp']) {
        await query(
          `
          insert into offers (
            id, connection_id, variant_id, external_id, status,
            frozen_fields, problems, created_at, updated_at
          )
          values ($1, $2, $3, $4, 'ACTIVE', '[]', '[]', now(), now())`,
          [randomUUID(), market, variantIdOf(shop, 'p', name), name]
        )
      }
      let revision = 0
      return {
        market,
        /**
         * Reads the order with these lines. Returns the types of the jobs that follow, and how
         * often stock was written.
         */
        async read (lines: OrderLine[], more: Partial<Order> = {}) {
          let stockWrites = 0
          const { jobs } = await database.transaction(async transaction =>
            ingestOrder(
              {
                ...transaction,
                query (text, values) {
                  if (text.includes('update stock')) stockWrites += 1
                  return transaction.query(text, values)
                }
              },
              market,
              orderOf('o1', { revision: String(revision += 1), lines, ...more })
            )
          )
          return { jobTypes: jobs.map(({ jobType }) => jobType), stockWrites }
        },
        order: async () =>
          (await query<{ status: string, problems: string[] }>(
            `select status, ${problemDetails} from orders where id = $1`,
            [
              orderIdOf(market, 'o1')
            ]
          ))[0],
        set: (change: string) => query(`update orders set ${change} where id = $1`, [orderIdOf(market, 'o1')]),
        /** Returns the reserved pieces of both variants. */
        async reserved () {
          const rows = await query<{ name: string, reserved: number }>(`
            select variants.external_id as name, reserved
            from stock
            join variants on variants.id = stock.variant_id`)
          return Object.fromEntries(rows.map(({ name, reserved }) => [name, reserved]))
        }
      }
    }

    t.test('a removed line does not keep the order waiting for its variant', async t => {
      const { read, order } = await openMarket()
      await read([line('1', 'mug'), line('2', 'nobody')])
      t.match(await order(), { status: 'awaiting_mapping' })

      t.ok((await read([line('1', 'mug')])).jobTypes.includes('master.order.create'))
      t.match(await order(), { status: 'ready', problems: { length: 0 } })
    })

    t.test('reservations and offers follow the lines', async t => {
      const { read, reserved } = await openMarket()
      await read([line('1', 'mug', 2), line('2', 'lamp', 2)], { status: 'pending' })
      t.strictSame(await reserved(), { mug: 2, lamp: 2 })

      const propagated = ['inventory.propagateToMarketplaces']
      t.match(await read([line('1', 'mug', 5), line('2', 'lamp', 2)], { status: 'pending' }), {
        jobTypes: propagated,
        stockWrites: 1
      })
      t.strictSame(await reserved(), { mug: 5, lamp: 2 })
      t.match(await read([line('1', 'mug', 5)], { status: 'pending' }), { jobTypes: propagated })
      t.strictSame(await reserved(), { mug: 5, lamp: 0 })
      t.match(await read([line('1', 'mug', 1), line('3', 'lamp', 4)], { status: 'pending' }), {
        jobTypes: [...propagated, ...propagated],
        stockWrites: 1
      }, 'all variants are locked by one statement')
      t.strictSame(await reserved(), { mug: 1, lamp: 4 })
      t.match(await read([line('1', 'mug', 1), line('3', 'lamp', 4)], { status: 'pending' }), {
        jobTypes: { length: 0 }
      })
      await read([line('1', 'mug', 7)], { status: 'cancelled' })
      t.strictSame(await reserved(), { mug: 0, lamp: 0 })
    })

    t.test('a line sells the variant of a new offer, and keeps its variant when the offer goes', async t => {
      const { read, reserved, market } = await openMarket()
      await read([line('1', 'mug', 2)])
      await read([line('1', 'lamp', 2)])
      t.strictSame(await reserved(), { mug: 0, lamp: 2 })

      await query('delete from offers where connection_id = $1', [market])
      for (const offer of ['lamp', undefined]) await read([line('1', offer, 2)])
      t.strictSame(await reserved(), { mug: 0, lamp: 2 })
      t.match(
        await query('select variant_id from order_lines where order_id = $1 and variant_id is null', [
          orderIdOf(market, 'o1')
        ]),
        { length: 0 }
      )
    })

    t.test('the lines stay when the shop has the order, and reserve what it lacks', async t => {
      const { read, set, market, reserved } = await openMarket()
      await read([line('1', 'mug'), line('2', 'lamp')])
      await set("status = 'created', destination_external_id = '77'")
      await query('update order_lines set is_reserved = false where order_id = $1', [orderIdOf(market, 'o1')])
      const before = await reserved()

      const { jobTypes } = await read([line('1', 'mug', 3)])
      t.strictSame(jobTypes, ['inventory.propagateToMarketplaces', 'master.order.update'])
      t.strictSame(await reserved(), { ...before, mug: (before.mug ?? 0) + 2 })
      t.match(
        await query('select external_id as id from order_lines where order_id = $1 order by 1', [
          orderIdOf(market, 'o1')
        ]),
        [{ id: '1' }, { id: '2' }]
      )
    })
  })
}
