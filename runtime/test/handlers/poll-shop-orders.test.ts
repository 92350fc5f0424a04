import { NotFoundError, RejectedError, TransientError, type Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readCursor } from '../../src/adapters/store.ts'
import type { HandlerServices } from '../../src/handlers/call-adapter.ts'
import { settleOrder } from '../../src/orders/actions.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from '../orders/journal.ts'
import { placeOrder } from '../orders/placed-order.ts'
import { createServices, runJob, runningJob, type Abilities } from './fake-adapter.ts'

/** The services of a hub whose adapters declare a small budget. Each call is one request. */
function withBudget (services: HandlerServices): HandlerServices {
  const openEnabled: HandlerServices['connections']['openEnabled'] = async id => {
    const opened = await services.connections.openEnabled(id)
    const description = { ...opened.adapter.description, budget: { ratePerSecond: 0.01, burst: 1 } }
    return { ...opened, adapter: { ...opened.adapter, description } }
  }
  const call: HandlerServices['adapters']['call'] = async (...args) => {
    const [, , , , { onRequest }] = args
    onRequest?.({ method: 'GET', path: '/', at: '', durationMs: 0 } as never)
    return services.adapters.call(...args)
  }
  return { ...services, adapters: { call }, connections: { ...services.connections, openEnabled } }
}

const sinceOf = (cursor: string | undefined): string => (JSON.parse(cursor ?? '') as { since: string }).since
const number = (value: string) => ({ carrier: 'courier', number: value })

for (const kind of kinds(t)) {
  t.test(`the poll of the orders that the hub made in a shop, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a shop that has an order of the hub as 77. `methods` replace what its adapter can. */
    async function openShop (methods: Abilities[string] = {}) {
      const placed = await placeOrder(jobs)
      await placed.putAtShop()
      const shop: Record<string, Order> = { 77: orderOf('77') }
      const asked: unknown[] = []
      const called = (method: string, args: unknown): void => {
        asked.push([method, args])
      }
      const abilities: Abilities[string] = {
        getOrder (externalId: string) {
          called('getOrder', externalId)
          const order = shop[externalId]
          if (order === undefined) throw new NotFoundError(`order ${externalId} does not exist`)
          return order
        },
        ...methods
      }
      const services = createServices(
        jobs,
        (id): Abilities => id === placed.shop ? { OrderProcessorManager: abilities } : {}
      )
      const poll = (given: HandlerServices = services) => runJob(given, runningJob('master.orders.poll', placed.shop))
      return {
        ...placed,
        shopOrders: shop,
        asked,
        services,
        poll,
        cursor: () => readCursor(query, placed.shop, 'shop-orders'),
        /** Gives the shop another order of the hub. */
        async add (externalId: string, change = 'status = status') {
          const id = randomUUID()
          await query(
            `insert into orders (
              id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at,
              destination_connection_id, destination_external_id, created_at, updated_at
            )
            select $1, connection_id, $2, status, source_status, revision, snapshot, '[]', placed_at,
              destination_connection_id, $2, created_at, updated_at
            from orders where id = $3`,
            [id, externalId, placed.orderId]
          )
          await query(`update orders set ${change} where id = $1`, [id])
          shop[externalId] = orderOf(externalId)
        },
        commands: async () =>
          (await query<{ jobType: string, payload: { status?: string } }>(
            `select job_type as "jobType", payload from jobs
            where connection_id = $1 and job_type like 'marketplace.order.%' order by created_at, id`,
            [placed.market]
          )).map(({ jobType, payload }) => payload.status ?? jobType)
      }
    }

    t.test('tells the marketplace what nobody announced, each change once', async t => {
      const { shopOrders, poll, read, commands, events } = await openShop()
      await poll()
      t.strictSame(await commands(), [])

      shopOrders['77'] = orderOf('77', { status: 'shipped' })
      t.match(await poll(), { result: { read: 1, open: 1 } })
      t.match(await read(), { status: 'shipped', tracking: null })
      shopOrders['77'] = orderOf('77', { status: 'shipped', tracking: number('1') })
      await poll()
      t.match(await read(), { tracking: { number: '1' } })
      await query('update orders set shop_read_at = null')
      shopOrders['77'] = orderOf('77', { status: 'delivered', tracking: number('1') })
      await poll()
      await poll()

      t.match(await read(), { status: 'delivered', destinationStatus: 'delivered' })
      t.strictSame(await commands(), ['shipped', 'marketplace.order.addTracking', 'delivered'])
      t.strictSame((await events()).filter(event => event === 'shop says').length, 3)
    })

    t.test('reads orders again for as many days as the connection says', async t => {
      const { add, asked, poll, services } = await openShop()
      await add('5', "created_at = now() - interval '5 days'")
      await add('7', "created_at = now() - interval '7 days'")
      const openEnabled: HandlerServices['connections']['openEnabled'] = async id => {
        const opened = await services.connections.openEnabled(id)
        return { ...opened, connection: { ...opened.connection, settings: { orderPollDays: 6 } } }
      }
      await poll({ ...services, connections: { ...services.connections, openEnabled } })

      t.strictSame(asked.toSorted(), [['getOrder', '5'], ['getOrder', '77']])
    })

    t.test('changes nothing when the shop says nothing new', async t => {
      const { poll, read, orderId } = await openShop()
      const updatedAt = async () =>
        (await query<{ at: string }>('select updated_at::text as at from orders where id = $1', [orderId]))[0]?.at
      await poll()
      const before = await updatedAt()
      await poll()
      t.equal(await updatedAt(), before)
      t.match(await read(), { destinationStatus: 'processing' })
    })

    t.test('asks for orders that may still change, those of long ago first', async t => {
      const { poll, asked, add, set } = await openShop()
      await set("shop_read_at = now() - interval '10 minutes'")
      await add('1', "shop_read_at = now() - interval '20 minutes'")
      await add('2')
      await add('3', "status = 'delivered'")
      await add('4', "destination_status = 'cancelled'")
      await add('5', "created_at = now() - interval '61 days'")
      await add('6', "status = 'shipped', tracking = '{}', shop_read_at = now() - interval '30 minutes'")
      await add('7', "status = 'shipped', tracking = '{}', shop_read_at = now() - interval '70 minutes'")
      await add('8', "status = 'shipped', shop_read_at = now() - interval '1 minute'")

      t.match(await poll(), { result: { open: 5 } })

      t.strictSame(asked.map(call => (call as string[])[1]), ['2', '1', '77', '7', '8'])
    })

    t.test('reads many orders with few calls, and alone what the call left out', async t => {
      const calls: string[][] = []
      const { poll, add, asked } = await openShop({
        getOrders (externalIds: string[]) {
          calls.push(externalIds)
          return externalIds.flatMap(id => id === '9' ? [] : [orderOf(id, { status: 'shipped' })])
        }
      })
      await add('8')
      await add('9')

      t.match(await poll(), { result: { read: 3, open: 3 } })

      t.strictSame(calls.map(ids => ids.toSorted()), [['77', '8', '9']])
      t.strictSame(asked, [['getOrder', '9']])
    })

    t.test('takes its own orders from the list of what changed, whatever the others are', async t => {
      const requests: unknown[] = []
      let items: unknown[] = []
      const { poll, set, read, cursor } = await openShop({
        listOrders (request: object) {
          requests.push(request)
          return { items }
        }
      })
      await poll()
      t.strictSame(requests, [], 'the first poll has nothing to compare with')
      const first = await cursor()
      await set("created_at = now() - interval '90 days', shop_read_at = null")
      items = [{ externalId: '12', odd: true }, orderOf('13'), orderOf('77', { status: 'delivered' })]

      t.match(await poll(), { result: { listed: 3, read: 1, open: 0 } })

      t.match(requests, [{ limit: 100, updatedSince: sinceOf(first) }])
      t.match(await read(), { status: 'delivered' })
      t.not(await cursor(), first)
    })

    t.test('lists nothing in a shop in which the hub made no order', async t => {
      const requests: unknown[] = []
      const { poll, set } = await openShop({
        listOrders (request: object) {
          requests.push(request)
          return { items: [] }
        }
      })
      await set("destination_external_id = null, status = 'ready'")
      await poll()
      t.match(await poll(), { result: { listed: 0, open: 0 } })
      t.strictSame(requests, [])
    })

    t.test('goes on with a long list at the next run, and reads the open orders meanwhile', async t => {
      const cursors: unknown[] = []
      const { poll, cursor, services } = await openShop({
        listOrders ({ cursor: at, updatedSince }: { cursor?: string, updatedSince: string }) {
          cursors.push([updatedSince, at])
          const page = Number(at ?? 0)
          return page < 2 ? { items: [orderOf(`o${page}`)], nextCursor: String(page + 1) } : { items: [] }
        }
      })
      const few = withBudget(services)
      await poll(few)
      const since = sinceOf(await cursor())
      t.match(await poll(few), { result: { listed: 1, open: 1, goesOn: true } })
      t.equal(sinceOf(await cursor()), since)
      const third = await poll(few)
      t.match(third, { result: { listed: 1, open: 1, goesOn: true } })
      t.match(await poll(few), { result: { listed: 0, open: 1 } })
      t.strictSame(cursors, [[since, undefined], [since, '1'], [since, '2']])
      t.not(sinceOf(await cursor()), since)
    })

    t.test('begins the list anew when the platform has forgotten its cursor', async t => {
      let isForgotten = false
      const { poll, cursor, services } = await openShop({
        listOrders ({ cursor: at }: { cursor?: string }) {
          if (at !== undefined && isForgotten) throw new RejectedError('unknown cursor')
          return { items: [], nextCursor: `${at ?? ''}x` }
        }
      })
      const few = withBudget(services)
      await poll(few)
      const since = sinceOf(await cursor())
      t.match(await poll(few), { result: { goesOn: true } })
      isForgotten = true
      t.match(await poll(few), { result: { open: 1 } })
      t.strictSame(JSON.parse(await cursor() ?? ''), { since })
    })

    t.test('an order that the shop lost has a problem until the shop shows it', async t => {
      const { poll, read, shopOrders, events } = await openShop()
      delete shopOrders['77']
      await poll()
      t.match(await poll(), { result: { missing: 1 } })
      t.match(await read(), {
        status: 'created',
        problems: [{ code: 'missing-in-shop', detail: 'the shop does not have order 77 any more' }]
      })
      t.equal((await events()).filter(event => event === 'problem').length, 1)

      shopOrders['77'] = orderOf('77')
      await poll()
      t.strictSame((await read()).problems, [])
    })

    t.test('what somebody saw to is no problem at the next poll', async t => {
      const { poll, read, shopOrders, orderId, services } = await openShop()
      delete shopOrders['77']
      await poll()
      t.equal((await read()).problems.length, 1)
      await settleOrder(services, orderId)
      t.match(await poll(), { result: { missing: 1 } })
      t.strictSame((await read()).problems, [])
    })

    t.test('one order that breaks the contract hides no other of its call', async t => {
      const { poll, add, read } = await openShop({
        getOrders: (externalIds: string[]) =>
          externalIds.map(id => id === '8' ? { externalId: '8', odd: true } : orderOf(id, { status: 'shipped' })),
        getOrder: () => ({ odd: true })
      })
      await add('8')
      t.match(await poll(), { result: { open: 2, read: 1, unreadable: 1 } })
      t.match(await read(), { status: 'shipped' })
    })

    t.test('an order that cannot be read keeps no other from being read; a shop that is away does', async t => {
      const failures: Record<string, Error> = { 8: new RejectedError('a line has no price') }
      const getOrder = (id: string) => {
        const failure = failures[id]
        if (failure !== undefined) throw failure
        return orderOf(id, { status: 'shipped' })
      }
      const { poll, add, read } = await openShop({ getOrder })
      await add('8', "created_at = now() - interval '1 day'")
      t.match(await poll(), { result: { read: 1, unreadable: 1 } })
      t.match(await read(), { status: 'shipped' })

      for (const id of ['77', '9', '10']) {
        if (id !== '77') await add(id)
        failures[id] = new TransientError('no answer')
      }
      await query('update orders set shop_read_at = null')
      await t.rejects(poll(), { message: 'no answer' })
    })

    t.test('what an older reading says does not undo what was read since', async t => {
      const { poll, set, read } = await openShop({
        async getOrder () {
          await set("destination_status = 'shipped', status = 'shipped', shop_read_at = clock_timestamp()")
          return orderOf('77')
        }
      })
      await poll()
      t.match(await read(), { status: 'shipped', destinationStatus: 'shipped' })
    })

    t.test('a small budget leaves most of it to others', async t => {
      const { poll, add, services } = await openShop()
      await Promise.all(Array.from({ length: 30 }, (_, index) => add(String(index + 100))))
      t.match(await poll(withBudget(services)), { result: { open: 20 } })
      t.match(await poll(services), { result: { open: 31 } }, 'another shop names no limit')
    })

    t.test('a connection that gives its orders to nobody has nothing to read', async t => {
      const { services, shop } = await openShop()
      const without = createServices(jobs, () => ({ InventoryMaster: {} }))
      t.match(await runJob({ ...services, ...without }, runningJob('master.orders.poll', shop)), {
        result: { skipped: 'the connection has no OrderProcessorManager' }
      })
    })
  })
}
