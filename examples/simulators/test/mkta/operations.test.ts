import t from 'tap'
import { codes } from '../support.ts'
import { openMktA } from './market.ts'

const path = '/sale/product-offers/1'

t.test('an asynchronous PATCH is accepted, applied after a while and shows its progress until then', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', name: 'Mug blue 300 ml' })
  market.switches.patch = 'asynchronous'

  const accepted = await call('PATCH', path, { name: 'Cup green 300 ml' })

  const { pathname, origin } = new URL(String(accepted.headers.location))
  t.match(accepted, { status: 202, headers: { 'retry-after': '5' } })
  t.match(accepted.json(), { id: '1', name: 'Mug blue 300 ml', operation: undefined, description: undefined })
  t.match([origin, pathname], [market.rest.url, /^\/sale\/product-offers\/1\/operations\/[0-9a-f-]{36}$/])
  t.equal((await call('GET', pathname)).status, 202)
  t.match((await call('GET', pathname)).json(), {
    offer: { id: '1' },
    operation: { status: 'IN_PROGRESS', startedAt: '2025-01-01T12:00:00.000Z' }
  })
  t.equal(market.offer('1')?.name, 'Mug blue 300 ml')
  t.strictSame(codes(await call('PATCH', path, { name: 'Jar white 300 ml' })), ['OfferOperationInProgress'])
  clock.advance(1_000)
  t.match(await call('GET', pathname), { status: 303, headers: { location: `${market.rest.url}${path}` } })
  t.equal(market.offer('1')?.name, 'Cup green 300 ml')
  t.equal((await call('PATCH', path, { name: 'Jar white 300 ml' })).status, 202)
  t.equal((await call('GET', pathname.replace('/1/', '/2/'))).status, 404)
  t.equal((await call('GET', `${path}/operations/1`)).status, 404)
})

t.test('an operation that failed answers 422 with its reasons, and changes nothing', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', name: 'Mug blue 300 ml' })
  market.switches.patch = 'asynchronous'
  market.failNextOperation('1', [{ code: 'IMAGE_GONE', message: 'The image is gone', path: 'images' }])

  const { pathname } = new URL(String((await call('PATCH', path, { name: 'Cup green 300 ml' })).headers.location))
  clock.advance(1_000)

  const ended = await call('GET', pathname)
  t.equal(ended.status, 422)
  t.strictSame(codes(ended), ['IMAGE_GONE'])
  t.match((await call('GET', path)).json(), { name: 'Mug blue 300 ml', validation: { errors: { length: 0 } } })
})

t.test('an invalid PATCH is refused at once, and by a switch only the validation shows a failure', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', name: 'Mug blue 300 ml' })
  market.switches.patch = 'asynchronous'
  market.switches.failedOperation = 'redirect'
  const errors = async () => (await call('GET', path)).json() as { name: string, validation: { errors: unknown[] } }

  t.equal((await call('PATCH', path, { name: '' })).status, 422)
  market.failNextOperation('1', [{ code: 'IMAGE_GONE', message: 'The image is gone', path: 'images' }])
  t.equal((await call('PATCH', path, { name: 'Cup green 300 ml' })).status, 202)
  clock.advance(1_000)
  t.match(await errors(), { name: 'Mug blue 300 ml', validation: { errors: [{ code: 'IMAGE_GONE' }] } })
  t.equal((await call('PATCH', path, { name: 'Cup green 300 ml' })).status, 202)
  clock.advance(1_000)
  t.match(await errors(), { name: 'Cup green 300 ml', validation: { errors: { length: 0 } } })
})

t.test('a new offer is a draft without pieces, at once or by an operation', async t => {
  const { clock, market, call } = await openMktA(t)
  const offer = { name: 'Mug blue 300 ml', sellingMode: { price: { amount: '59.00', currency: 'PLN' } } }

  const created = await call('POST', '/sale/product-offers', offer)

  const { id } = created.json() as { id: string }
  t.equal(created.status, 201)
  t.match(market.offer(id), { name: 'Mug blue 300 ml', stock: { available: 0 }, publication: { status: 'INACTIVE' } })
  market.switches.patch = 'asynchronous'
  const accepted = await call('POST', '/sale/product-offers', {
    ...offer,
    name: 'Cup green 300 ml',
    stock: { available: 3 }
  })
  const { id: second } = accepted.json() as { id: string }
  t.equal(accepted.status, 202)
  clock.advance(1_000)
  t.match(market.offer(second), { name: 'Cup green 300 ml', stock: { available: 3 } })
  t.equal((await call('POST', '/sale/product-offers', { name: 'Mug blue 300 ml' })).status, 400)
  t.equal((await call('POST', '/sale/product-offers', { ...offer, publication: { status: 'ACTIVE' } })).status, 422)
  t.equal(market.quantities().size, 2)
})
