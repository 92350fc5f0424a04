import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { openMarket } from '../support.ts'

t.test('overlapping writes count for one offer, but not for different offers', async t => {
  const { market, call } = await openMarket(t)
  for (const key of ['v1', 'v2', 'v3']) market.addProduct(key)
  market.setLatency({ minMs: 50, maxMs: 50 })

  await Promise.all([
    call('PATCH', '/products/v1', { stock: 1 }),
    call('PATCH', '/products/v2', { stock: 1 }),
    call('GET', '/products/v1')
  ])
  t.strictSame(market.overlappingWrites(), new Map())
  await Promise.all([1, 2, 3].map(stock => call('PATCH', '/products/v1', { stock })))
  t.strictSame(market.overlappingWrites(), new Map([['v1', 2]]))
  await Promise.all([
    call('PATCH', '/products/v2', { stock: 1 }),
    call('PATCH', '/products/batch-update', [{ externalId: 'v2', stock: 2 }, { externalId: 'v3', stock: 2 }])
  ])
  t.strictSame(market.overlappingWrites(), new Map([['v1', 2], ['v2', 1]]))
})

t.test('a write does not overlap an earlier one that was answered, refused, reset or aborted', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1')

  await call('PATCH', '/products/v1', { stock: 1 })
  await call('PATCH', '/products/v1', { stock: 'many' })
  market.faults.add({ answer: { status: 503 } })
  await call('PATCH', '/products/v1', { stock: 2 })
  market.faults.add({ reset: true, when: 'after' })
  await t.rejects(call('PATCH', '/products/v1', { stock: 3 }))
  market.setLatency({ minMs: 30, maxMs: 30 })
  const socket = connect(Number(new URL(market.url).port), '127.0.0.1')
  const body = '{"stock":4}'
  const head = [
    'PATCH /svc/shop-api/products/v1 HTTP/1.1',
    'host: x',
    'authorization: Bearer market-key',
    'content-type: application/json',
    `content-length: ${body.length}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'finish')
  socket.destroy()
  while (market.product('v1')?.stock !== 4) await once(AbortSignal.timeout(5), 'abort')
  market.setLatency({ minMs: 0, maxMs: 0 })
  await call('PATCH', '/products/v1', { stock: 5 })

  t.strictSame(market.overlappingWrites(), new Map())
  t.equal(market.product('v1')?.stock, 5)
})

t.test('a write overlaps an earlier one whose client gave up while it was still under way', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1')
  market.faults.add({ method: 'PATCH', delayMs: 100 })
  const first = call('PATCH', '/products/v1', { stock: 1 })
  while (market.faults.pending() > 0) await once(AbortSignal.timeout(5), 'abort')
  await call('PATCH', '/products/v1', { stock: 2 })
  await first

  t.strictSame(market.overlappingWrites(), new Map([['v1', 1]]))
  t.equal(market.product('v1')?.stock, 1)
})

t.test('the stock of every offer is known, ahead of the read cache', async t => {
  const { market, call } = await openMarket(t, { lagMs: 60_000 })
  market.addProduct('v1', { stock: 1 })
  market.addProduct('v2', { stock: 2 })
  await call('PATCH', '/products/v1', { stock: 7 })

  t.strictSame(market.quantities(), new Map([['v1', 7], ['v2', 2]]))
})

t.test('stock can be frozen for integrations and unfrozen', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  market.freeze('v1', ['stock'])
  const frozen = await call('PATCH', '/products/v1', { stock: 5, price: 100 })
  const kept = market.product('v1')?.stock
  market.unfreeze('v1', ['stock'])
  const written = await call('PATCH', '/products/v1', { stock: 5 })

  t.strictSame(frozen.json(), { updatedFields: ['price'] })
  t.equal(kept, 1)
  t.strictSame(written.json(), { updatedFields: ['stock'] })
  t.equal(market.product('v1')?.stock, 5)
  t.throws(() => market.freeze('v9', ['stock']), { message: "the marketplace has no product 'v9'" })
})
