import { AdapterErrorCode, type QuantityChange } from '@linker/sdk'
import t from 'tap'
import { createOfferManager } from '../../src/offers/offer-manager.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)

const change = (externalId: string, quantity: number): QuantityChange => ({ externalId, quantity, commandId: 'c-1' })

function offerManager () {
  const { client, context } = connect()
  return createOfferManager(client, context)
}

t.test('a stock update sends the stock and nothing else', async t => {
  upstream()
    .patch('/products/hub-variant-1', body => JSON.stringify(body) === '{"stock":7}')
    .reply(202, { updatedFields: ['stock'] })

  t.same(await offerManager().updateOfferQuantity(change('hub-variant-1', 7)), { applied: ['stock'], frozen: [] })
})

t.test('backorders are sent as sold out', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 0 }).reply(202, { updatedFields: ['stock'] })

  t.same(await offerManager().updateOfferQuantity(change('hub-variant-1', -3)), { applied: ['stock'], frozen: [] })
})

t.test('an invalid quantity is refused before any request', async t => {
  for (const quantity of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, 2_000_000_001]) {
    await t.rejects(offerManager().updateOfferQuantity(change('hub-variant-1', quantity)), {
      code: AdapterErrorCode.rejected,
      message: /quantity/
    })
  }
})

t.test('an accepted write without a body counts as applied', async t => {
  for (const body of ['', {}, []]) {
    upstream().patch('/products/hub-variant-1', { stock: 7 }).reply(202, body)
    t.same(await offerManager().updateOfferQuantity(change('hub-variant-1', 7)), { applied: ['stock'], frozen: [] })
  }
})

t.test('a frozen stock is reported, with a warning that the offer may be oversold', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 0 }).reply(202, { updatedFields: [] })

  t.same(await offerManager().updateOfferQuantity(change('hub-variant-1', 0)), { applied: [], frozen: ['stock'] })
  t.match(logs, [{ level: 'warn', fields: { externalId: 'hub-variant-1', quantity: 0 }, message: /froze/ }])
})

t.test('a stock write is sent again after a transient fault, because it is absolute', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 7 }).reply(503)
    .patch('/products/hub-variant-1', { stock: 7 }).reply(202)

  t.same(await offerManager().updateOfferQuantity(change('hub-variant-1', 7)), { applied: ['stock'], frozen: [] })
})

t.test('many quantities are sent in one request, and every item has its own outcome', async t => {
  const answers = [
    { externalId: 'e', status: 404, error: { name: 'NotFoundError', message: 'Product "e" not found' } },
    { externalId: 'a', status: 202, result: { updatedFields: ['stock'] } },
    { externalId: 'b', status: 202, result: { updatedFields: [] } },
    {
      externalId: 'c',
      status: 408,
      error: { name: 'BatchProcessingTimeout', message: 'Batch processing timeout exceeded' }
    },
    { externalId: 'd', status: 429 },
    { externalId: 'f', status: 503 },
    { externalId: 'g', status: 401 },
    { externalId: 'h', status: 403 },
    { externalId: 'i', status: 400 }
  ]
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'unanswered']
  upstream().patch('/products/batch-update', ids.map(externalId => ({ externalId, stock: 5 }))).reply(200, answers)

  const results = await offerManager().updateOfferQuantities(ids.map(externalId => change(externalId, 5)))

  const { transient, notFound, authentication, rejected } = AdapterErrorCode
  t.same(results.slice(0, 2), [
    { externalId: 'a', applied: ['stock'], frozen: [] },
    { externalId: 'b', applied: [], frozen: ['stock'] }
  ])
  t.same(results.slice(2).map(({ externalId, error }) => [externalId, error?.code]), [
    ['c', transient],
    ['d', transient],
    ['e', notFound],
    ['f', transient],
    ['g', authentication],
    ['h', authentication],
    ['i', rejected],
    ['unanswered', transient]
  ])
  t.match(results[2]?.error, { message: /408: Batch processing timeout exceeded/ })
  t.match(logs, [{ level: 'warn', fields: { externalId: 'b', quantity: 5 }, message: /froze/ }])
})

t.test('an invalid item is left out of the batch, which would be refused as a whole', async t => {
  upstream().patch('/products/batch-update', [{ externalId: 'a', stock: 1 }])
    .reply(200, [{ externalId: 'a', status: 202 }])

  const results = await offerManager().updateOfferQuantities([
    change('a', 1),
    change('..', 1),
    change('b', 2_000_000_001)
  ])

  const rejected = { code: AdapterErrorCode.rejected, message: String }
  t.match(results.toSorted((a, b) => a.externalId < b.externalId ? -1 : 1), [
    { externalId: '..', error: rejected },
    { externalId: 'a', applied: ['stock'], error: undefined },
    { externalId: 'b', error: rejected }
  ])
})

t.test('a batch without a list of outcomes is a transient error', async t => {
  upstream().patch('/products/batch-update').reply(200, { updatedFields: ['stock'] })

  await t.rejects(offerManager().updateOfferQuantities([change('a', 1)]), {
    code: AdapterErrorCode.transient
  })
})
