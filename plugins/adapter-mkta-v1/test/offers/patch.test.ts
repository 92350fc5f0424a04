import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'
import { upstreamOffer } from './upstream-offer.ts'

const { connect } = createMarketplace(t)
const { notFound, rejected, transient } = AdapterErrorCode
const path = '/sale/product-offers/7680001234'
const operation = `${path}/operations/op-1`
const location = `https://api.sandbox.test${operation}`

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

t.test('the adapter waits for a change that the marketplace finishes later', async t => {
  const underWay = { offer: { id: '7680001234' }, operation: { id: 'op-1', status: 'IN_PROGRESS' } }
  const completed = { offer: { id: '7680001234' }, operation: { id: 'op-1', status: 'COMPLETED' } }
  for (const [status, body] of [[303, ''], [200, completed]] as const) {
    restWrite().patch(path).reply(202, upstreamOffer(), { location, 'retry-after': '0' })
    rest().get(operation).reply(202, underWay, { 'retry-after': '0' })
      .get(operation).reply(status, body, { location: `https://api.sandbox.test${path}` })
      .get(path).reply(200, upstreamOffer())

    t.same(await open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), { applied: ['title'], frozen: [] })
  }
})

t.test('a change is refused with the fields when the offer has faults afterwards', async t => {
  restWrite().patch(path).reply(202, '', { location, 'retry-after': '0' })
  const validation = { errors: [{ code: 'Size', message: 'too long', path: 'name' }] }
  rest().get(operation).reply(303).get(path).reply(200, upstreamOffer({ validation }))

  await t.rejects(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), {
    code: rejected,
    message: /Size: too long/,
    fields: [{ pointer: '/title', code: 'Size' }]
  })
})

t.test('a change that the marketplace refuses at its end is refused with the reasons', async t => {
  restWrite().patch(path).reply(202, upstreamOffer(), { location, 'retry-after': '0' })
  rest().get(operation).reply(422, { errors: [{ code: 'ImageGone', message: 'The image is gone', path: 'name' }] })

  await t.rejects(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), {
    code: rejected,
    message: /ImageGone: The image is gone/,
    fields: [{ pointer: '/title', code: 'ImageGone' }]
  })
})

t.test('faults in the answer to an immediate change refuse it as well', async t => {
  const validation = { errors: [{ code: 'PriceTooHigh', message: 'no', path: 'sellingMode.price.amount' }] }
  restWrite().patch(path).reply(200, upstreamOffer({ validation }))
  await t.rejects(open().updateOffer('7680001234', { price: { amount: '59.00', currency: 'PLN' } }), {
    code: rejected,
    message: /PriceTooHigh: no/,
    fields: [{ pointer: '/price/amount' }]
  })

  for (const body of ['', '{}', upstreamOffer({ validation: { errors: [], warnings: [{ code: 'Short' }] } })]) {
    restWrite().patch(path).reply(200, body)
    await t.resolves(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }))
  }
})

t.test('an offer that only has to end may have other faults', async t => {
  const shown = (status: string) =>
    upstreamOffer({
      publication: { status },
      validation: { errors: [{ code: 'ParameterMissing', message: 'Brand is required', path: 'parameters' }] }
    })
  const later = (status: string) => {
    restWrite().patch(path).reply(202, '', { location, 'retry-after': '0' })
    rest().get(operation).reply(303).get(path).reply(200, shown(status))
  }
  const atOnce = (status: string) => restWrite().patch(path).reply(200, shown(status))

  for (const answer of [later, atOnce]) {
    answer('ENDED')
    await t.resolves(open().endOffer('7680001234'))
    answer('ACTIVE')
    await t.rejects(open().endOffer('7680001234'), { code: rejected, message: /Brand is required|ParameterMissing/ })
  }
})

t.test('a change that outlasts the deadline of the call is a transient error', async t => {
  restWrite().patch(path).reply(202, '', { location, 'retry-after': '30' })
  const { client, context } = connect()
  const late = Object.create(context, { deadline: { value: new Date('2025-01-02T12:00:20Z') } }) as typeof context

  await t.rejects(createCapability(client, late).updateOffer('7680001234', { title: 'Mug blue 300 ml' }), {
    code: transient,
    message: /in time/
  })
})

t.test('the address of an operation never leads to another host', async t => {
  restWrite().patch(path).reply(202, '', { location: `https://evil.test${operation}`, 'retry-after': '0' })
  rest().get(operation).reply(303).get(path).reply(200, upstreamOffer())

  await t.resolves(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }))
})

t.test('another change under way is a transient error; faults of the offer are a refusal with fields', async t => {
  restWrite().patch(path).reply(409, { errors: [{ code: 'Conflict', message: 'in progress' }] })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), { code: transient, status: 409 })

  restWrite().patch(path).reply(422, {
    errors: [
      { code: 'Missing', message: 'brand', path: 'parameters[0].values' },
      { code: 'Low', message: 'too low', path: 'sellingMode.price.amount' }
    ]
  })
  await t.rejects(open().updateOffer('7680001234', { price: { amount: '1', currency: 'PLN' } }), {
    code: rejected,
    fields: [{ pointer: '/parameters/0/values' }, { pointer: '/price/amount' }]
  })
})

t.test('an offer ends by its publication status', async t => {
  restWrite().patch(path, { publication: { status: 'ENDED' } }).reply(200, upstreamOffer())
  await t.resolves(open().endOffer('7680001234'))

  restWrite().patch(path).reply(404)
  await t.rejects(open().endOffer('7680001234'), { code: notFound })
})
