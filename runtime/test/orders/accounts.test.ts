import type { Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { beginOrdersAt } from '../../src/connections/accounts/store.ts'
import { keepLinks } from '../../src/offers/former/statements.ts'
import { takeOverLinks } from '../../src/offers/former/store.ts'
import { retryOrder } from '../../src/orders/actions.ts'
import { ingestOrder, orderIdOf } from '../../src/orders/ingest-order.ts'
import { findReferences } from '../../src/orders/references.ts'
import { mustSearch } from '../../src/orders/shop/creation-attempt.ts'
import { noteDeleted, readOrder, readRevisions } from '../../src/orders/store.ts'
import { takeOverOrders } from '../../src/orders/take-over.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'

for (const kind of kinds(t)) {
  t.test(`orders of accounts, ${kind}`, async t => {
    const { database, addConnection, enqueueJobs } = await openJobsFor(t, kind)
    const { query } = database

    /** Opens a shop with a variant, and connects marketplaces that sell it. */
    async function open () {
      const account = randomUUID()
      const shop = await addConnection()
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [
          shop
        ]
      )
      await recordStock(database, { id: randomUUID(), connectionId: shop, claimedAt: new Date().toISOString() }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      const variantId = variantIdOf(shop, 'p', 'v')

      async function connect ({ isKnown = true, since = null as string | null } = {}) {
        const id = await addConnection()
        await query('update connections set account_id = $2, orders_since = $3 where id = $1', [
          id,
          isKnown ? account : null,
          since
        ])
        return id
      }
      const link = (market: string) =>
        query(
          `
          insert into offers (
            id, connection_id, variant_id, external_id, status, stock_version, sent_link_version,
            buffer, frozen_fields, problems, created_at, updated_at
          )
          values ($1, $2, $3, 'offer-1', 'ACTIVE', 1, 1, 3, '[]', '[]', now(), now())`,
          [randomUUID(), market, variantId]
        )
      async function remove (market: string) {
        await noteDeleted(query, { id: market, name: 'Market' })
        await query(keepLinks, [market])
        await query('delete from offers where connection_id = $1', [market])
        await query("update connections set deleted_at = now(), name = 'Market' where id = $1", [market])
      }
      const ingest = (market: string, externalId: string, more: Partial<Order> = {}) =>
        database.transaction(async transaction => ingestOrder(transaction, market, orderOf(externalId, more)))
      const platform = async (id: string) =>
        (await query<{ type: string }>('select platform_type as type from connections where id = $1', [id]))[0]?.type ??
          ''
      return { account, variantId, connect, link, remove, ingest, platform }
    }
    const typesOf = (jobs: readonly { jobType: string }[]) => jobs.map(({ jobType }) => jobType)

    t.test('an order is known by platform, account and external id, whichever connection reads it', async t => {
      const { account, connect, link, remove, ingest, platform } = await open()
      const former = await connect()
      await link(former)
      const first = await ingest(former, 'o1')
      t.equal(first.orderId, orderIdOf([await platform(former), account], 'o1'))
      t.ok(typesOf(first.jobs).includes('master.order.create'))
      await remove(former)
      t.match(await readOrder(query, first.orderId), { problems: [{ code: 'connection-deleted' }] })

      const next = await connect()
      const again = await ingest(next, 'o1', { revision: '2' })
      t.match(again, { orderId: first.orderId, isNew: false })
      t.match(await readOrder(query, first.orderId), { connectionId: next, problems: [] })
      t.equal(
        (await query("select from orders where external_id = 'o1' and connection_id = any($1)", [[former, next]]))
          .length,
        1
      )
    })

    t.test('an order that the hub knew before it knew the account keeps its id', async t => {
      const { account, connect, ingest } = await open()
      const market = await connect({ isKnown: false })
      const { orderId } = await ingest(market, 'o1')
      t.equal(orderId, orderIdOf(market, 'o1'))

      await query('update connections set account_id = $2 where id = $1', [market, account])
      t.match(await ingest(market, 'o1', { revision: '2' }), { orderId, isNew: false })
    })

    t.test('a connection that begins later leaves older orders to others, and says so', async t => {
      const { connect, link, ingest } = await open()
      const market = await connect({ since: '2025-01-02T12:00:00Z' })
      await link(market)

      const older = await ingest(market, 'older')
      t.strictSame(older.jobs, [])
      t.match(await readOrder(query, older.orderId), {
        status: 'elsewhere',
        problems: [{ code: 'placed-before', detail: /placed at 2025-01-02T10:00.*began at 2025-01-02T12:00.*retry/ }]
      })
      t.strictSame(await query('select from order_lines where order_id = $1 and is_reserved', [older.orderId]), [])
      t.match(await ingest(market, 'older', { status: 'shipped', revision: '2' }), { status: 'shipped' })
      t.match(await ingest(market, 'newer', { placedAt: '2025-01-02T12:00:00Z' }), { status: 'ready' })
    })

    t.test('a retry takes an older order after all, and the shop is searched for it first', async t => {
      const { connect, link, ingest } = await open()
      const market = await connect({ since: '2025-01-02T12:00:00Z' })
      await query("update connections set created_at = '2025-01-02T12:00:00Z' where id = $1", [market])
      await link(market)
      const { orderId } = await ingest(market, 'o1')
      const [jobId] = await retryOrder({ database, enqueueJobs }, orderId, {
        operationId: randomUUID(),
        requestId: 'r'
      })

      t.match(await query('select job_type from jobs where id = $1', [jobId]), [{
        job_type: 'marketplace.order.syncByExternalId'
      }])
      const { status, jobs } = await ingest(market, 'o1')
      t.equal(status, 'ready')
      t.ok(typesOf(jobs).includes('master.order.create'))
      const order = await readOrder(query, orderId)
      t.ok(order !== undefined && mustSearch(order))
      t.match(order, { problems: [] })
    })

    t.test('a connection that is told to begin earlier takes older orders, after a search of the shop', async t => {
      const { connect, link, ingest } = await open()
      const market = await connect({ since: '2025-01-02T12:00:00Z' })
      await query("update connections set created_at = '2025-01-02T12:00:00Z' where id = $1", [market])
      await link(market)
      const { orderId } = await ingest(market, 'known')
      t.strictSame((await readRevisions(query, market, ['known'])).get('known'), null, 'a sweep reads it again')
      await beginOrdersAt(query, market, '2025-01-02T09:00:00Z')

      t.match(await ingest(market, 'known'), { orderId, status: 'ready' })
      const { orderId: unknown } = await ingest(market, 'unknown')
      for (const id of [orderId, unknown]) {
        const order = await readOrder(query, id)
        t.ok(order !== undefined && mustSearch(order))
      }
      await beginOrdersAt(query, market, '2025-01-02T11:00:00Z')
      t.match(await ingest(market, 'later'), { status: 'ready' }, 'it never begins later again')
    })

    t.test('a shop is searched by the references of earlier connections, too', async t => {
      const { connect, remove, ingest } = await open()
      const former = await connect({ isKnown: false })
      await remove(former)
      const market = await connect()
      const { orderId } = await ingest(market, 'o1')
      const order = await readOrder(query, orderId)

      const references = order === undefined ? [] : await findReferences(query, order)
      t.equal(references[0], orderId)
      t.ok(references.includes(orderIdOf(market, 'o1')))
      t.ok(references.includes(orderIdOf(former, 'o1')))
    })

    t.test('a connection takes over the orders and links of a deleted one', async t => {
      const { variantId, connect, link, remove, ingest } = await open()
      const former = await connect()
      await link(former)
      const [unfinished, cancelled] = [
        await ingest(former, 'open'),
        await ingest(former, 'cancelled', { status: 'cancelled' })
      ]
      await remove(former)

      const heir = await connect({ since: new Date().toISOString() })
      const taken = await database.transaction(async ({ query }) => ({
        links: await takeOverLinks(query, former, heir),
        orders: await takeOverOrders(query, { id: former, name: 'Market' }, heir)
      }))
      t.match(taken, {
        links: { count: 1, jobs: [{ jobType: 'marketplace.offerQuantity.update', connectionId: heir }] },
        orders: { count: 2, jobs: [{ jobType: 'marketplace.order.syncByExternalId', payload: { externalId: 'open' } }] }
      })
      t.equal(taken.orders.jobs.length, 1, 'a finished order is not read again')
      t.match(await query('select variant_id, buffer from offers where connection_id = $1', [heir]), [
        { variant_id: variantId, buffer: 3 }
      ])
      t.strictSame(await query('select from former_links where connection_id = $1', [former]), [])
      for (const { orderId } of [unfinished, cancelled]) {
        t.match(await readOrder(query, orderId), { connectionId: heir, problems: [] })
      }
      t.match(await ingest(heir, 'open', { revision: '2' }), {
        orderId: unfinished.orderId,
        isNew: false,
        status: 'ready'
      })
    })
  })
}
