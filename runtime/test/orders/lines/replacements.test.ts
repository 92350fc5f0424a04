import { NotFoundError, type Order, type OrderLine } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { retryOrder } from '../../../src/orders/actions.ts'
import { orderIdOf } from '../../../src/orders/ingest-order.ts'
import { createServices, runJob, runningJob, type Abilities } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { openSale, readStock } from '../sale.ts'
import { problemDetails } from '../statements.ts'

interface Found {
  status: string
  source: string
  problems: string[]
  events: string[]
  reserved: number
}

const replaced = { status: 'cancelled', source: 'gone', reserved: 0 }

const line = (externalId: string, quantity = 1, offerExternalId = 'mug'): OrderLine => {
  return { externalId, offerExternalId, name: 'Mug', quantity, unitPrice: { amount: '10.00', currency: 'PLN' } }
}
const unpaid = (externalId: string, lines: OrderLine[]) => orderOf(externalId, { status: 'pending', lines })
const paid = (externalId: string, lines: OrderLine[]) => orderOf(externalId, { status: 'processing', lines })

for (const kind of kinds(t)) {
  t.test(`a marketplace that replaces orders by another one, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace that offers two variants, thirty pieces each. `has`: its orders. */
    async function openMarket ({ keepsLineIds = true } = {}) {
      const { shop, market, variantIdOf } = await openSale(jobs, ['mug', 'lamp'])
      const has = new Map<string, Order>()
      let made = 0
      const abilities: Record<string, Abilities> = {
        [shop]: {
          OrderProcessorManager: { createOrder: () => ({ externalId: `shop-${made += 1}` }), findOrder: () => null }
        },
        [market]: {
          Marketplace: {
            getOrder (externalId: string) {
              const order = has.get(externalId)
              if (order === undefined) throw new NotFoundError('no such order')
              return order
            },
            listOrders: () => ({ items: [...has.values()] })
          }
        }
      }
      const services = createServices(jobs, id => abilities[id] ?? {}, { keepsLineIds })
      const sync = (externalId: string) => {
        return runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId }))
      }
      const madeJobs = (connectionId: string, jobType: string) =>
        query<{ externalId: string | null }>(
          `
          select payload ->> 'externalId' as "externalId"
          from jobs
          where connection_id = $1 and job_type = $2
          order by 1`,
          [connectionId, jobType]
        )
      return {
        market,
        sync,
        idOf: (externalId: string) => orderIdOf(market, externalId),
        /** Replaces all orders of the marketplace. */
        async shows (...orders: Order[]) {
          has.clear()
          for (const order of orders) has.set(order.externalId, order)
        },
        /** Reads the present orders. */
        async reads (...orders: Order[]) {
          for (const order of orders) {
            has.set(order.externalId, order)
            await sync(order.externalId)
          }
        },
        sweep: () => runJob(services, runningJob('marketplace.orders.sweep', market)),
        create (externalId: string) {
          const orderId = orderIdOf(market, externalId)
          return runJob(services, runningJob('master.order.create', shop, { orderId }))
        },
        async readings () {
          const readings = await madeJobs(market, 'marketplace.order.syncByExternalId')
          return readings.map(({ externalId }) => externalId)
        },
        creations: async () => (await madeJobs(shop, 'master.order.create')).length,
        set (externalId: string, change: string) {
          return query(`update orders set ${change} where id = $1`, [orderIdOf(market, externalId)])
        },
        async order (externalId: string) {
          const [row] = await query<Found>(
            `
            select
              status, source_status as source, ${problemDetails},
              (select jsonb_agg(event order by id) from order_history where order_id = orders.id) as events,
              (
                select coalesce(sum(quantity), 0)::integer
                from order_lines
                where order_id = orders.id and is_reserved
              ) as reserved
            from orders
            where id = $1`,
            [orderIdOf(market, externalId)]
          )
          return row
        },
        stock: () => readStock(jobs, variantIdOf('mug'))
      }
    }

    t.test('two orders that are paid together pass their pieces to the new one, and the stock stays', async t => {
      const market = await openMarket()
      await market.reads(unpaid('first', [line('a')]), unpaid('second', [line('b', 2)]))
      const before = await market.stock()
      t.match(before, { reserved: 3 })
      await market.shows(paid('both', [line('a'), line('b', 2)]))

      const { jobTypes } = await market.sync('both')
      t.strictSame(await market.stock(), before)
      t.strictSame(jobTypes, ['master.order.create'], 'no offer has to be written')
      t.match(await market.order('both'), { status: 'ready', reserved: 3, problems: { length: 0 } })
      t.strictSame((await market.order('both'))?.events, ['replaces other orders', 'ingested'])
      for (const externalId of ['first', 'second']) {
        const events = ['ingested', 'replaced by another order']
        t.match(await market.order(externalId), { ...replaced, problems: { length: 0 }, events })
      }
      await market.create('both')
      t.match(await market.stock(), { reserved: 0 })
    })

    t.test('sixteen readings of the new and the old orders at a time move the pieces once', async t => {
      for (let turn = 0; turn < 5; turn += 1) {
        const market = await openMarket()
        const old = [unpaid('first', [line('a')]), unpaid('second', [line('b', 2)])]
        if (turn > 0) await market.reads(...old)
        // The marketplace may still show an old id for a while.
        await market.shows(...turn === 1 ? [] : old, paid('both', [line('b', 2), line('a')]))
        const names = ['both', 'first', 'both', 'second']
        await Promise.all(Array.from({ length: 16 }, (_, index) => market.sync(names[index % names.length] ?? '')))

        t.match(await market.stock(), { reserved: 3 }, `turn ${turn}`)
        t.match(await market.order('both'), { status: 'ready', reserved: 3, problems: { length: 0 } })
        for (const externalId of ['first', 'second']) t.match(await market.order(externalId), replaced)
        t.equal(await market.creations(), 1)
      }
    })

    t.test('an old reading that is stored late reserves nothing and changes nothing', async t => {
      const market = await openMarket()
      await market.reads(paid('both', [line('a'), line('b')]), unpaid('first', [line('a')]))
      t.match(await market.order('first'), {
        status: 'cancelled',
        source: 'gone',
        reserved: 0,
        problems: { length: 0 }
      })
      const before = await market.order('first')
      t.strictSame((await market.sync('first')).jobTypes, [])
      t.strictSame(await market.order('first'), before)
      t.match(await market.order('both'), { status: 'ready', reserved: 2, problems: { length: 0 } })
      t.match(await market.stock(), { reserved: 2 })
    })

    t.test('a replaced order comes back when its replacement is cancelled and it still exists', async t => {
      const market = await openMarket()
      const first = unpaid('first', [line('a')])
      await market.reads(first, unpaid('both', [line('a'), line('b')]))
      t.match(await market.order('first'), replaced, 'the one with more lines is the newer one')
      await market.reads(orderOf('both', { status: 'cancelled', lines: [line('a'), line('b')], revision: '2' }), first)

      t.match(await market.order('first'), { status: 'pending', source: 'pending', reserved: 1 })
      t.match(await market.stock(), { reserved: 1 })
    })

    t.test('the hub reads the orders again that a cancelled unknown order may have replaced', async t => {
      const market = await openMarket()
      await market.reads(unpaid('first', [line('a')]))
      await market.shows(orderOf('both', { status: 'cancelled', lines: [line('a'), line('b')] }))
      await market.sync('both')
      t.strictSame(await market.readings(), ['first'])
      t.match(await market.order('first'), { status: 'pending', problems: { length: 0 } }, 'it may be there')

      await market.sync('first')
      t.match(await market.order('first'), { status: 'pending', reserved: 1 }, 'one answer changes nothing')
    })

    t.test('a mapped line stays mapped in the new order, an unmapped one waits', async t => {
      const market = await openMarket()
      await market.reads(unpaid('first', [line('a')]), unpaid('second', [line('b', 1, 'vase')]))
      t.match(await market.order('second'), { status: 'awaiting_mapping' })
      await query('delete from offers where connection_id = $1', [market.market])
      await market.shows(paid('both', [line('a'), line('b', 1, 'vase')]))
      await market.sync('both')

      t.match(await market.order('both'), { status: 'awaiting_mapping', reserved: 1 })
      t.match(await market.stock(), { reserved: 1 })
      for (const externalId of ['first', 'second']) t.match(await market.order(externalId), { status: 'cancelled' })
    })

    const [a, b, c] = [line('a'), line('b'), line('c')]
    const differences: [string, OrderLine[], Order, RegExp][] = [
      ['a line is missing', [a, b], paid('new', [a, c]), /order 'new' lacks line 'b'/],
      ['a quantity has changed', [line('a', 2)], paid('new', [a]), /order 'new' has 1 of line 'a', order 'old' has 2/],
      ['a line is of another offer', [a], paid('new', [line('a', 1, 'lamp')]), /line 'a' belongs to another offer/],
      ['nobody can tell which is the newer', [a], unpaid('new', [a]), /the hub cannot tell which/]
    ]
    for (const [what, lines, newer, reason] of differences) {
      t.test(`two orders are not merged when ${what}: both say so and name both`, async t => {
        const market = await openMarket()
        await market.reads(unpaid('old', lines), newer)

        for (const externalId of ['old', 'new']) {
          const order = await market.order(externalId)
          t.match(order?.problems, [/orders 'new' and 'old' have lines in common but are not merged/])
          t.match(order?.problems, [reason])
          t.equal(order?.problems.length, 1)
        }
        t.match(await market.order('old'), { status: 'pending' })
        t.match(await market.order('new'), { status: newer.status === 'pending' ? 'pending' : 'ready' })
        t.ok((await market.readings()).includes('old'), 'it is asked for')

        const { events: before } = await market.order('old') ?? {}
        await market.sync('new')
        t.strictSame((await market.order('old'))?.events, before, 'it is said once')
        await market.shows(newer)
        await market.sync('old')
        t.match(await market.order('old'), { status: 'pending', problems: [reason] }, 'one answer changes nothing')
        if (newer.status === 'processing') await market.create('new')
        t.match((await market.order('new'))?.problems, [reason], 'the problem stays, even when the shop has the order')
      })
    }

    const rivals = [
      ['was paid meanwhile', "status = 'ready', source_status = 'processing'"],
      ['is in the shop', "status = 'created', destination_external_id = '77', creation_begun_at = now()"]
    ] as const
    for (const [what, change] of rivals) {
      t.test(`an order that shares lines with one that ${what} waits for a decision`, async t => {
        const market = await openMarket()
        await market.reads(unpaid('old', [line('a')]))
        await market.set('old', change)
        await market.shows(paid('new', [line('a'), line('b')]))
        const { jobTypes } = await market.sync('new')

        t.notOk(jobTypes.includes('master.order.create'))
        const heldBack = /does not create it in the shop, which has or may have order 'old'/
        t.match(await market.order('new'), { status: 'failed', problems: [heldBack, /orders 'new' and 'old'/] })
        const problem = /orders 'new' and 'old' .* the shop has or may have one of them/
        t.match(await market.order('old'), { problems: [problem] })
        await market.sync('new')
        t.match(await market.order('new'), { status: 'failed' })

        await retryOrder(jobs, market.idOf('new'), { operationId: randomUUID(), requestId: 'request' })
        t.equal(await market.creations(), 1)
        await market.sync('new')
        t.match(await market.order('new'), { status: 'ready' }, 'the decision holds')
      })
    }

    t.test('equal line ids mean nothing when they are unique only within one order', async t => {
      const market = await openMarket({ keepsLineIds: false })
      await market.reads(unpaid('first', [line('1')]), paid('second', [line('1'), line('2')]))
      t.match(await market.order('first'), { status: 'pending', reserved: 1, problems: { length: 0 } })
      t.match(await market.order('second'), { status: 'ready', reserved: 2, problems: { length: 0 } })
      t.match(await market.stock(), { reserved: 3 })
    })

    t.test('a sweep that lists the new order first leaves no pieces of the old one reserved', async t => {
      const market = await openMarket()
      await market.reads(unpaid('first', [line('a')]))
      await market.shows(paid('both', [line('a'), line('b')]))
      t.match(await market.sweep(), { result: { ingested: 1 } })
      t.match(await market.order('first'), { status: 'cancelled' })
      t.match(await market.stock(), { reserved: 2 })
    })
  })
}
