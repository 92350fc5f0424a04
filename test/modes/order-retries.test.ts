import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { openShopAndMarket, type OrderView } from '../support/shop-and-market.ts'

interface Summary {
  eligible: number
  retried: number
  next: string | null
  skipped: { reason: string, count: number }[]
}

const copies = 300

const copyOrders = `
  insert into orders (
    id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at, created_at,
    updated_at
  )
  select gen_random_uuid(), connection_id, 'copy ' || n, status, source_status, revision, snapshot, problems,
    placed_at, created_at + n * interval '1 millisecond', updated_at
  from orders, generate_series(1, ${copies}) as n
  where id = $1`

const copyLines = `
  insert into order_lines (order_id, external_id, offer_external_id, variant_id, quantity)
  select orders.id, line.external_id, line.offer_external_id, line.variant_id, line.quantity
  from orders
  join order_lines as line on line.order_id = $1
  where orders.external_id like 'copy %'`

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an operator retries all orders that meet a filter`, async t => {
    const { hub, marketId, shopId, offer, poll, orderWhen, settle } = await openShopAndMarket(t, {
      mode,
      isPolandActive: false
    })
    const retry = (body: object, key: string = randomUUID()) =>
      hub.call('POST', '/orders/retry', { body, headers: { 'idempotency-key': key } })
    const [first, second] = [1, 2].map(quantity => hub.market.placeOrder({ lines: [{ externalId: offer, quantity }] }))
    const placed = [first ?? '', second ?? '']
    await poll()
    const failed = await Promise.all(placed.map(externalId => orderWhen(externalId, 'failed')))
    await settle()
    const deadJobs = async (): Promise<{ kind: string }[]> =>
      ((await hub.call('GET', '/attention')).json as { kind: string }[]).filter(({ kind }) => kind === 'dead-jobs')
    t.match(await deadJobs(), [{ connectionId: shopId, count: 2 }])

    t.test('an order is found by its id at the marketplace', async t => {
      const find = async (query: string): Promise<OrderView[]> =>
        (await hub.call('GET', `/orders?externalId=${query}`)).json as OrderView[]
      t.strictSame((await find(placed[0] ?? '')).map(({ id }) => id), [failed[0]?.id])
      t.strictSame((await find(`${placed[0]}&status=failed&connectionId=${marketId}`)).length, 1)
      t.strictSame(await find(`${placed[0]}&connectionId=${shopId}`), [])
      t.strictSame(await find('nobody'), [])
      for (const wrong of ['', 'a%0Ab', 'x'.repeat(1_024)]) {
        const answer = await hub.call('GET', `/orders?externalId=${wrong}`)
        t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' })
        t.strictSame([...new Set(pointersOf(answer))], ['/querystring/externalId'])
      }
    })

    t.test('a dry run tells what would happen', async t => {
      const { status, json } = await retry({ filter: { connectionId: marketId }, dryRun: true })

      t.equal(status, 200)
      t.match(json, {
        dryRun: true,
        matched: 2,
        eligible: 2,
        retried: 0,
        skipped: { length: 0 },
        byGroup: [{ connectionId: marketId, status: 'failed', code: 'not-created', count: 2 }],
        sample: [{ status: 'failed' }, { status: 'failed' }],
        atMost: false
      })
      await settle()
      t.strictSame(hub.shop.orders(), [])
    })

    t.test('bad requests are refused, and change nothing', async t => {
      const cases: [object, string[]][] = [
        [{}, ['/filter']],
        [{ filter: {} }, ['/filter']],
        [{ filter: { status: [] } }, ['/filter/status']],
        [{ filter: { status: ['created'] } }, ['/filter/status/0']],
        [{ filter: { status: ['failed', 'failed'] } }, ['/filter/status']],
        [{ filter: { code: 'Not Created' } }, ['/filter/code']],
        [{ filter: { connectionId: '7' } }, ['/filter/connectionId']],
        [{ filter: { externalId: '' } }, ['/filter/externalId']],
        [{ filter: { since: 'yesterday' } }, ['/filter/since']],
        [{ filter: { until: 5 } }, ['/filter/until']],
        [{ filter: { state: 'failed' } }, ['/filter/state']],
        [{ filter: { code: 'not-created' }, dryRun: 'yes' }, ['/dryRun']],
        [{ filter: { code: 'not-created' }, after: '7' }, ['/after']],
        [{ filter: { code: 'not-created' }, first: 1 }, ['/first']]
      ]
      for (const [body, pointers] of cases) {
        const answer = await retry(body)
        t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' }, JSON.stringify(body))
        t.strictSame([...new Set(pointersOf(answer))], pointers, JSON.stringify(body))
      }
      t.match(problemOf(await retry({ filter: { code: 'not-created' }, after: randomUUID() })), {
        status: 404,
        code: 'LNK_ORDER_NOT_FOUND'
      })
      await orderWhen(placed[0] ?? '', 'failed')
    })

    t.test('all go to the shop, once, however often the request comes', async t => {
      hub.shop.setCountryActive('PL', true)
      const [key, body] = [randomUUID(), { filter: { code: 'not-created', status: ['failed'] } }]
      const answer = await retry(body, key)
      const again = await retry(body, key)
      for (const externalId of placed) await orderWhen(externalId, 'created')
      await settle()
      const other = await retry({ filter: { connectionId: marketId } })

      t.match(answer, { status: 202, json: { matched: 2, eligible: 2, retried: 2, skipped: { length: 0 } } })
      t.equal(again.text, answer.text)
      t.equal(hub.shop.orders().length, 2)
      t.match(other, { status: 202, json: { matched: 2, eligible: 0, retried: 0 } })
      t.strictSame((other.json as Summary).skipped, [{ reason: 'created', count: 2 }])
    })

    t.test('the dead jobs need nobody once the shop has the orders, and stay in the list of jobs', async t => {
      await eventually('the item to go', async () => (await deadJobs()).length === 0 ? true : undefined)

      t.equal(((await hub.call('GET', '/jobs?status=dead')).json as object[]).length, 2)
    })

    t.test('the audit names who wanted it, and the filter', async t => {
      const { json } = await hub.call('GET', '/audit?action=order.retry')
      t.match(json, [{ actor: { kind: 'token' }, objectName: '2 orders', changes: [{ pointer: '/code' }, Object] }])
      t.equal((json as object[]).length, 1)
      t.strictSame((await hub.call('GET', '/audit?action=POST%20/orders/retry')).json, [])
    })

    t.test('after a kill in the middle, the same request retries the rest and no order twice', async t => {
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      const { query } = hub.database()
      const [{ id = '' } = {}] = failed
      await query("update orders set status = 'failed' where id = $1", [id])
      await query(copyOrders, [id])
      await query(copyLines, [id])
      await query("update orders set status = 'created' where id = $1", [id])
      await hub.stop()
      const dying = await startHubProcess(hub.directory, {
        ...hub.variables,
        LINKER_DATA_DIR: `${hub.directory}/state`
      })
      const [key, body] = [randomUUID(), { filter: { connectionId: marketId, status: ['failed'] } }]
      const cut = hub.at(dying.url)('POST', '/orders/retry', { body, headers: { 'idempotency-key': key } })
        .then(() => 'answered', () => 'cut')
      await eventually('the first retried order', async () => {
        const { json } = await hub.at(dying.url)('GET', '/orders?status=ready&limit=1')
        return (json as object[]).length > 0 ? true : undefined
      })
      await dying.kill()
      t.equal(await cut, 'cut')
      await hub.restart()
      const database = hub.database()
      const count = async (where: string): Promise<number> => (await database.query(`select ${where}`)).length
      const before = await count("from orders where status = 'ready'")
      t.ok(before > 0 && before < copies, `${before} were retried`)
      await database.query("update idempotency_keys set lease_until = now() - interval '1 minute' where key = $1", [
        key
      ])

      const rest = await retry(body, key)

      t.match(rest, { status: 202, json: { eligible: copies - before } })
      let { retried, next } = rest.json as Summary
      // On a slow machine, one request has no time for all.
      while (next !== null) {
        const more = (await retry({ ...body, after: next })).json as Summary
        retried += more.retried
        next = more.next
      }
      t.equal(retried, copies - before)
      t.equal(await count("from orders where status = 'ready'"), copies)
      t.equal(
        await count("from order_history where event = 'retried' and order_id in (select id from orders where " +
          "external_id like 'copy %')"),
        copies
      )
      t.equal(await count("from jobs where job_type = 'master.order.create' and outcome is null"), copies)
    })
  })
}
