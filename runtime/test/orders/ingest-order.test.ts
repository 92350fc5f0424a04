import type { Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { ingestOrder, orderIdOf } from '../../src/orders/ingest-order.ts'
import { remapJobs } from '../../src/orders/lines/remap-jobs.ts'
import { recordDestinationOrders } from '../../src/orders/shop/destination.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf as aMug } from './journal.ts'
import { problemDetails } from './statements.ts'

const zloty = (amount: string) => ({ amount, currency: 'PLN' })

const orderOf = (externalId: string, more: Partial<Order> = {}): Order =>
  aMug(externalId, {
    lines: [{ externalId: '1', offerExternalId: 'offer-1', name: 'Mug', quantity: 2, unitPrice: zloty('10.00') }],
    total: zloty('29.99'),
    shipping: { methodId: 'locker', price: zloty('9.99') },
    ...more
  })

for (const kind of kinds(t)) {
  t.test(`orders of marketplaces, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)
    const { query } = database

    /** Opens a shop with five pieces of a variant, and a marketplace that offers it. */
    async function sell ({ isLinked = true } = {}) {
      const [shop, market] = [await addConnection(), await addConnection()]
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [shop]
      )
      const readAt = (await query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? ''
      await recordStock(database, { id: randomUUID(), connectionId: shop, claimedAt: readAt }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      const variantId = variantIdOf(shop, 'p', 'v')
      const link = () =>
        query(
          `
          insert into offers (
            id, connection_id, variant_id, external_id, status, stock_version, sent_link_version,
            frozen_fields, problems, created_at, updated_at
          )
          values ($1, $2, $3, 'offer-1', 'ACTIVE', 1, 1, '[]', '[]', now(), now())`,
          [randomUUID(), market, variantId]
        )
      if (isLinked) await link()
      const ingest = (order: Order) =>
        database.transaction(async transaction => ingestOrder(transaction, market, order))
      const stock = async () =>
        (await query<{ quantity: number, reserved: number }>(
          'select quantity, reserved from stock where variant_id = $1',
          [variantId]
        ))[0]
      const read = async (externalId: string) =>
        (await query<{ status: string, problems: string[], destination: string | null }>(
          `select status, ${problemDetails}, destination_connection_id as destination from orders where id = $1`,
          [orderIdOf(market, externalId)]
        ))[0]
      return { shop, market, variantId, link, ingest, stock, read }
    }
    const typesOf = (jobs: readonly { jobType: string }[]) => jobs.map(({ jobType }) => jobType)

    t.test('an order that was placed before its connection began is left to others', async t => {
      const { ingest, stock, read, market } = await sell()
      await query('update connections set orders_since = $2 where id = $1', [market, '2026-02-01T10:00:00.000Z'])
      const before = await ingest(orderOf('o1', { placedAt: '2026-02-01T10:59:59.999+01:00' }))
      const after = await ingest(orderOf('o2', { placedAt: '2026-02-01T10:00:00.000Z' }))

      t.strictSame([before.status, after.status], ['elsewhere', 'ready'])
      t.strictSame(before.jobs, [])
      t.match((await read('o1'))?.problems, [/before this connection began at 2026-02-01T10:00:00.000Z, so the hub/])
      t.match(await stock(), { reserved: 2 }, 'only the newer one reserves its pieces')
    })

    t.test('an order that is read twice is stored once, reserves once, and leads to one job at the shop', async t => {
      const { ingest, stock, read, shop } = await sell()
      const first = await ingest(orderOf('o1'))
      const second = await ingest(orderOf('o1', { revision: '2' }))

      t.strictSame([first.isNew, second.isNew, first.orderId === second.orderId], [true, false, true])
      t.strictSame(typesOf(first.jobs), ['inventory.propagateToMarketplaces', 'master.order.create'])
      t.strictSame(second.jobs.map(job => job.idempotencyKey), [first.jobs[1]?.idempotencyKey])
      t.strictSame(await stock(), { quantity: 5, reserved: 2 })
      t.match(await read('o1'), { status: 'ready', destination: shop })
    })

    t.test('a cancelled order gives its pieces back once, and its offer is written again', async t => {
      const { ingest, stock, read } = await sell()
      await ingest(orderOf('o1', { status: 'pending' }))
      t.strictSame(await stock(), { quantity: 5, reserved: 2 })
      const cancelled = await ingest(orderOf('o1', { status: 'cancelled', revision: '2' }))
      const again = await ingest(orderOf('o1', { status: 'cancelled', revision: '3' }))
      const late = await ingest(orderOf('o1', { status: 'processing', revision: '2' }))

      t.strictSame(await stock(), { quantity: 5, reserved: 0 })
      t.strictSame(typesOf(cancelled.jobs), ['inventory.propagateToMarketplaces', 'marketplace.offerQuantity.update'])
      t.strictSame([again.jobs, late.jobs], [[], []])
      t.match(await read('o1'), { status: 'cancelled' })
    })

    t.test('an order that arrives cancelled has its offer written again: the marketplace took pieces', async t => {
      const { ingest, stock } = await sell()
      const { jobs } = await ingest(orderOf('o1', { status: 'cancelled' }))
      t.strictSame(typesOf(jobs), ['marketplace.offerQuantity.update'])
      t.strictSame(await stock(), { quantity: 5, reserved: 0 })
    })

    t.test('an order with an unlinked offer waits, says so, and goes on after the link', async t => {
      const { ingest, read, link, market, stock } = await sell({ isLinked: false })
      t.strictSame((await ingest(orderOf('o1'))).jobs, [])
      t.match(await read('o1'), { status: 'awaiting_mapping', problems: [/offer 'offer-1'/] })
      t.strictSame(await remapJobs(query, { connectionId: market }, 'a'), [])

      await link()
      const [job] = await remapJobs(query, { connectionId: market, offerExternalIds: ['offer-1'] }, 'b')
      t.match(job, { jobType: 'marketplace.order.syncByExternalId', payload: { externalId: 'o1' } })
      t.ok(typesOf((await ingest(orderOf('o1'))).jobs).includes('master.order.create'))
      t.match(await read('o1'), { status: 'ready', problems: { length: 0 } })
      t.match(await stock(), { reserved: 2 })
    })

    t.test('an order for a shop that takes no orders fails and says why', async t => {
      const { ingest, read, shop } = await sell()
      await query('update connections set capabilities = \'["InventoryMaster"]\' where id = $1', [shop])
      t.notOk(typesOf((await ingest(orderOf('o1'))).jobs).includes('master.order.create'))
      t.match(await read('o1'), { status: 'failed', problems: [/OrderProcessorManager/] })
    })

    t.test('changes in the shop reach the marketplace, except those of orders that the hub did not make', async t => {
      const { ingest, shop, read } = await sell()
      const { orderId } = await ingest(orderOf('o1'))
      await query("update orders set status = 'created', destination_external_id = '77' where id = $1", [orderId])
      const told = (order: Order) =>
        database.transaction(async transaction => recordDestinationOrders(transaction, shop, [order]))
      const tracking = { carrier: 'dpd', number: '123' }

      t.strictSame(await told(orderOf('78', { status: 'shipped' })), { known: 0, jobs: [] })
      t.strictSame(typesOf((await told(orderOf('77', { status: 'shipped', tracking }))).jobs), [
        'marketplace.order.addTracking',
        'marketplace.order.updateStatus'
      ])
      t.strictSame((await told(orderOf('77', { status: 'shipped', tracking }))).jobs, [])
      t.strictSame(
        (await told(orderOf('77', { status: 'processing', tracking }))).jobs,
        [],
        'an older reading takes nothing back'
      )
      t.match(await read('o1'), { status: 'shipped' })
    })
  })
}
