import t from 'tap'
import { openHub, openMarket } from '../support.ts'

const order = { lines: [{ externalId: 'hub-variant-1', quantity: 1, unitPrice: 10_000 }] }
const hook = { hookName: 'orderCreated', url: 'https://hub.example/webhooks/mktb/1', accessToken: 'token' }

t.test('the inbox shows the 500 oldest unread messages of every type', async t => {
  const { market, call } = await openMarket(t)
  const message = { type: 'productsNeedSync', payload: { externalProductIds: ['hub-variant-1'] } }
  const noise = Array.from({ length: 500 }, () => market.addInboxMessage(message))
  const id = market.placeOrder(order)
  const ids = async () => ((await call('GET', '/inbox')).json() as Array<{ id: string }>).map(({ id }) => id)

  t.strictSame(await ids(), noise)
  t.match((await call('POST', '/inbox/_search', { types: ['orderCreated'] })).json(), [{
    type: 'orderCreated',
    read: false,
    payload: { id }
  }])
  t.equal((await call('POST', '/inbox/mark-read', { ids: noise.slice(0, 1) })).json(), 1)
  t.equal((await ids()).length, 500)
  t.equal((await call('POST', '/inbox/mark-read', { ids: noise.slice(0, 2) })).json(), 1)
  t.equal(market.inbox().filter(({ read }) => read).length, 2)
})

t.test('the inbox has types that its search refuses, and the search wants a type', async t => {
  const { market, call } = await openMarket(t)
  const id = market.placeOrder(order)
  market.updateOrder(id, { sellerStatus: 'inProgress' })
  market.addInboxMessage({ type: 'shopTermsChanged', payload: {} })
  market.askForSync(['hub-variant-1'], ['price'])
  const types = ['orderCreated', 'orderSellerStatusChanged', 'shopTermsChanged', 'productsNeedSync']

  const shown = (await call('GET', '/inbox')).json() as Array<{ type: string, payload: object }>
  t.strictSame(shown.map(({ type }) => type), types)
  t.strictSame(shown.at(-1)?.payload, { externalProductIds: ['hub-variant-1'], fields: ['price'] })
  const statuses = await Promise
    .all([[], ...types.map(type => [type])].map(async types =>
      (await call('POST', '/inbox/_search', { types })).status
    ))
  t.strictSame(statuses, [400, 200, 400, 400, 200])
})

t.test('marking an unknown message marks none and is no error, in both forms', async t => {
  const { market, call } = await openMarket(t)
  market.placeOrder(order)
  const unknown = 'f'.repeat(24)

  for (const body of [{ lastMessageId: unknown }, { ids: [unknown] }]) {
    const answer = await call('POST', '/inbox/mark-read', body)
    t.equal(answer.status, 200)
    t.equal(answer.json(), 0)
  }
})

t.test('marking up to a message also marks late messages with smaller ids', async t => {
  const { market, call } = await openMarket(t)
  const last = market.addInboxMessage({ type: 'orderCreated', payload: {} })
  market.addInboxMessage({ type: 'orderCreated', payload: {}, id: '0'.repeat(24) })

  t.equal((await call('POST', '/inbox/mark-read', { lastMessageId: last, ids: [last] })).status, 400)
  t.equal((await call('POST', '/inbox/mark-read', { lastMessageId: last })).json(), 2)
  t.strictSame((await call('GET', '/inbox')).json(), [])
})

t.test('a hook gets the whole order, and a failure there does not touch the inbox', async t => {
  const hub = await openHub(t)
  const { market, call } = await openMarket(t, { resolveCallback: () => hub.url })
  await call('PUT', '/hooks/orderCreated', hook)

  const id = market.placeOrder(order)
  t.match(await market.hooksSettled(), [{ outcome: 'accepted' }])
  market.hookAccidents({ drop: true })
  market.placeOrder(order)
  market.hookAccidents({ double: true, delayMs: 1 })
  market.placeOrder(order)

  t.equal((await market.hooksSettled()).length, 3)
  t.strictSame(JSON.parse(hub.received[0]?.body.toString() ?? ''), market.order(id))
  t.strictSame(hub.received[1]?.body, hub.received[2]?.body)
  t.equal(market.inbox().length, 3)
})
