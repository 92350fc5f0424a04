import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, now, rest } from '../marketplace.ts'
import { checkoutForm } from './checkout-form.ts'

const { connect, logs } = createMarketplace(t)
const { rejected, transient } = AdapterErrorCode
const form = (id: string) => checkoutForm({ id })
const list = (query: Record<string, string>) =>
  rest().get('/order/checkout-forms').query({ sort: '-lineItems.boughtAt', ...query })
const since = '2025-01-01T00:00:00.000Z'

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

t.test('changed orders are listed in pages of at most a hundred', async t => {
  list({ 'updatedAt.gte': since, limit: '100', offset: '0' }).reply(200, {
    checkoutForms: Array.from({ length: 100 }, (_, index) => form(String(index))),
    totalCount: 101
  })
  list({ 'updatedAt.gte': since, limit: '100', offset: '100' }).reply(200, {
    checkoutForms: [form('100')],
    totalCount: 101
  })

  const first = await open().listOrders({ limit: 500, updatedSince: since })
  const second = await open().listOrders({ limit: 500, updatedSince: since, cursor: first.nextCursor ?? '' })

  t.same([first.items.length, second.items.length, second.nextCursor], [100, 1, undefined])
})

t.test('too many orders for one list are read in shorter spans, and the last span has no end', async t => {
  const page = (totalCount: number) => ({ checkoutForms: [form('f-1')], totalCount })
  const middle = '2025-01-01T18:00:00.000Z'
  list({ 'updatedAt.gte': since, limit: '10', offset: '0' }).reply(200, page(9_001))
  list({ 'updatedAt.gte': since, 'updatedAt.lte': middle, limit: '10', offset: '0' }).reply(200, page(1))
  list({ 'updatedAt.gte': middle, limit: '10', offset: '0' }).reply(200, page(9_000))

  const first = await open().listOrders({ limit: 10, updatedSince: since })
  const second = await open().listOrders({ limit: 10, updatedSince: since, cursor: first.nextCursor ?? '' })

  t.equal(first.items.length, 1)
  t.equal(second.nextCursor, undefined)
})

t.test('pages of a span that is over overlap, because changed rows leave it', async t => {
  const to = '2025-01-01T18:00:00.000Z'
  list({ 'updatedAt.gte': since, 'updatedAt.lte': to, limit: '100', offset: '0' }).reply(200, {
    checkoutForms: Array.from({ length: 100 }, (_, index) => form(String(index))),
    totalCount: 150
  })
  list({ 'updatedAt.gte': since, 'updatedAt.lte': to, limit: '100', offset: '90' }).reply(200, {
    checkoutForms: [form('x')],
    totalCount: 150
  })

  const first = await open().listOrders({ limit: 100, cursor: JSON.stringify({ from: since, to, offset: 0 }) })
  const second = await open().listOrders({ limit: 100, cursor: first.nextCursor ?? '' })

  t.same(JSON.parse(second.nextCursor ?? ''), { from: to, to: null, offset: 0 })
})

t.test('without a time all orders are listed, except unreadable ones with a warning', async t => {
  list({ 'updatedAt.gte': '1970-01-01T00:00:00.000Z', limit: '10', offset: '0' }).reply(200, {
    checkoutForms: [{ id: 'odd' }, form('f-1')],
    totalCount: 2
  })

  t.match(await open().listOrders({ limit: 10 }), { items: [{ externalId: 'f-1' }] })
  t.match(logs, [{ level: 'warn', fields: { externalId: 'odd' } }])
})

const daysBefore = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000).toISOString()

/** Every page of a sweep. */
async function sweep (marketplace: ReturnType<typeof open>, updatedSince: string, limit = 100): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined;;) {
    const { items, nextCursor } = await marketplace.listOrders({
      limit,
      updatedSince,
      ...(cursor === undefined ? {} : { cursor })
    })
    found.push(...items.map(({ externalId }) => externalId))
    if (nextCursor === undefined) return found
    cursor = nextCursor
  }
}

t.test('cancelled orders by either status follow, back to the earliest time asked for or 28 days', async t => {
  for (const [first, from] of [[daysBefore(9), daysBefore(9)], [daysBefore(40), daysBefore(28)]] as const) {
    const marketplace = open()
    const page = (query: Record<string, string>, ...ids: string[]) =>
      list({ limit: '2', offset: '0', ...query }).reply(200, { checkoutForms: ids.map(form), totalCount: ids.length })
    page({ 'updatedAt.gte': first })
    t.same(await sweep(marketplace, first, 2), [], 'the first sweep lists no older orders')

    page({ 'updatedAt.gte': daysBefore(1) }, 'changed')
    list({ 'status': 'CANCELLED', 'updatedAt.gte': from, 'limit': '2', 'offset': '0' }).reply(200, {
      checkoutForms: [form('a'), form('b')],
      totalCount: 3
    })
    list({ 'status': 'CANCELLED', 'updatedAt.gte': from, 'limit': '2', 'offset': '2' }).reply(200, {
      checkoutForms: [form('c')],
      totalCount: 3
    })
    page({ 'fulfillment.status': 'CANCELLED', 'updatedAt.gte': from }, 'd')
    t.same(await sweep(marketplace, daysBefore(1), 2), ['changed', 'a', 'b', 'c', 'd'])
  }
})

t.test('too many cancelled orders for one list are read in shorter spans as well', async t => {
  const marketplace = open()
  list({ 'updatedAt.gte': daysBefore(9), 'limit': '10', 'offset': '0' }).reply(200, {
    checkoutForms: [],
    totalCount: 0
  })
  await sweep(marketplace, daysBefore(9), 10)
  const cancelled = { status: 'CANCELLED', limit: '10', offset: '0' }
  list({ ...cancelled, 'updatedAt.gte': daysBefore(9) }).reply(200, { checkoutForms: [form('a')], totalCount: 9_001 })
  list({ ...cancelled, 'updatedAt.gte': daysBefore(9), 'updatedAt.lte': daysBefore(4.5) }).reply(200, {
    checkoutForms: [form('a')],
    totalCount: 1
  })
  list({ ...cancelled, 'updatedAt.gte': daysBefore(4.5) }).reply(200, { checkoutForms: [form('b')], totalCount: 1 })
  list({ 'updatedAt.gte': daysBefore(1), 'limit': '10', 'offset': '0' }).reply(200, {
    checkoutForms: [],
    totalCount: 0
  })
  list({ 'fulfillment.status': 'CANCELLED', 'updatedAt.gte': daysBefore(9), 'limit': '10', 'offset': '0' }).reply(200, {
    checkoutForms: [],
    totalCount: 0
  })

  t.same(await sweep(marketplace, daysBefore(1), 10), ['a', 'b'])
})

t.test('a list in another form is a transient error, and an invalid cursor is refused', async t => {
  list({ 'updatedAt.gte': since, limit: '10', offset: '0' }).reply(200, { forms: [] })
  await t.rejects(open().listOrders({ limit: 10, updatedSince: since }), { code: transient })

  for (const cursor of ['x', '{}', '{"from":1,"to":null,"offset":0}', '{"from":"a","to":null,"offset":-1}']) {
    await t.rejects(open().listOrders({ limit: 10, cursor }), { code: rejected, message: /position/ })
  }
})
