import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { startControl } from '../src/control.ts'
import { openMarket, send, type Answer } from './support.ts'

async function openControl (t: Test) {
  const { market, call } = await openMarket(t)
  const control = await startControl({ port: 0, market, servers: { mktb: market.faults } })
  t.teardown(control.close)
  const headers = { 'content-type': 'application/json' }
  return {
    url: control.url,
    market,
    read: () => call('GET', '/me'),
    add: (fault: unknown, server = 'mktb'): Promise<Answer> =>
      send(`${control.url}/faults/${server}`, { method: 'POST', headers, body: JSON.stringify(fault) }),
    order: (order: unknown): Promise<Answer> =>
      send(`${control.url}/orders`, { method: 'POST', headers, body: JSON.stringify(order) }),
    clear: () => send(`${control.url}/faults/mktb`, { method: 'DELETE' })
  }
}

t.test('a fault stays until somebody ends it', async t => {
  const { add, clear, read } = await openControl(t)

  t.equal((await add({ answer: { status: 500 } })).status, 204)
  t.strictSame([(await read()).status, (await read()).status], [500, 500])
  t.equal((await clear()).status, 204)
  t.equal((await read()).status, 200)
})

t.test('a fault hits as many requests as it says, and only those whose path fits', async t => {
  const { add, read } = await openControl(t)
  await add({ path: '/products/', answer: { status: 503 } })
  await add({ path: '/me$', times: 1, answer: { status: 429, headers: { 'retry-after': '60' } } })

  t.match(await read(), { status: 429, headers: { 'retry-after': '60' } })
  t.equal((await read()).status, 200)
})

t.test('a body that is no fault, and a server that is none, are refused', async t => {
  const { add, market } = await openControl(t)
  const refused = [{}, { answer: {} }, { reset: true, answer: { status: 500 } }, { path: '(', reset: true }, { no: 1 }]

  for (const fault of refused) t.equal((await add(fault)).status, 400, JSON.stringify(fault))
  t.equal((await add({ reset: true }, 'mktc')).status, 400)
  t.equal(market.faults.pending(), 0)
})

t.test('a fault that would do nothing or something else is refused by the name of its member', async t => {
  const { add, market } = await openControl(t)
  const answer = (headers: object) => ({ answer: { status: 500, headers } })
  const refused: [object, RegExp][] = [
    [{ delayMs: 2_147_483_648 }, /body\/delayMs /],
    [{ method: 'patch', reset: true }, /body\/method /],
    [answer({ 'bad name': 'x' }), /body\/answer\/headers /],
    [answer({ '': 'x' }), /body\/answer\/headers /],
    [answer({ 'x-text': 'a\r\nb' }), /body\/answer\/headers\/x-text /],
    [answer({ 'x-text': '€' }), /body\/answer\/headers\/x-text /]
  ]

  for (const [fault, message] of refused) {
    const { status, json } = await add(fault)
    t.match({ status, json: json() }, { status: 400, json: { message } }, JSON.stringify(fault))
  }
  t.equal(market.faults.pending(), 0)
  for (const fault of [{ delayMs: 2_147_483_647 }, { method: 'PATCH', reset: true }, answer({ 'X-Text': 'ä\tb' })]) {
    t.equal((await add(fault)).status, 204, JSON.stringify(fault))
  }
})

t.test('a request by another name of this computer is refused', async t => {
  const { url, market } = await openControl(t)
  const { port } = new URL(url)
  const call = (host: string) => send(`${url}/faults/mktb`, { method: 'DELETE', headers: { host } })
  market.faults.add({ reset: true })

  for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`]) {
    const { status, json } = await call(host)
    t.match({ status, json: json() }, { status: 403, json: { message: /127\.0\.0\.1 or localhost/ } }, host)
  }
  t.equal(market.faults.pending(), 1)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST']) {
    t.equal((await call(host)).status, 204, host)
  }
})

t.test('an order is placed at the marketplace, and its id is the answer', async t => {
  const { market, order } = await openControl(t)
  market.addProduct('mug', { stock: 3 })

  const { status, json } = await order({ lines: [{ externalId: 'mug', quantity: 2 }] })
  t.equal(status, 201)
  const [placed, ...others] = market.orders()
  t.strictSame(json(), { id: placed?.id })
  t.strictSame(others, [])
  t.match(placed, { status: 'purchased', items: [{ externalId: 'mug', quantity: 2 }] })
  t.equal(market.product('mug')?.stock, 1)
})

t.test('an order of what the marketplace does not have is refused, and takes nothing', async t => {
  const { market, order } = await openControl(t)
  market.addProduct('mug', { stock: 3 })
  const line = (quantity: number, externalId = 'mug') => ({ externalId, quantity })
  const refused: [object, RegExp][] = [
    [{}, /lines/],
    [{ lines: [] }, /body\/lines /],
    [{ lines: [line(0)] }, /body\/lines\/0\/quantity /],
    [{ lines: [line(1)], id: 'x' }, /additional/],
    [{ lines: [line(1), line(1, 'cup')] }, /no product 'cup'/],
    [{ lines: [line(2), line(2)] }, /only 3 of 'mug'/]
  ]

  for (const [body, message] of refused) {
    const { status, json } = await order(body)
    t.match({ status, json: json() }, { status: 400, json: { message } }, JSON.stringify(body))
  }
  t.strictSame(market.orders(), [])
  t.equal(market.product('mug')?.stock, 3)
})

t.test('every fault in the table of the README is one', async t => {
  const { add } = await openControl(t)
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, table = ''] = /^\| The platform \| Body \|\n(.*?)\n\n/ms.exec(readme) ?? []
  const bodies = [...table.matchAll(/`(\{.*\})` \|$/gm)].map(([, body = '']) => JSON.parse(body) as unknown)

  t.equal(bodies.length, 6)
  for (const body of bodies) t.equal((await add(body)).status, 204, JSON.stringify(body))
})
