import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, platform, rest } from '../marketplace.ts'
import { checkoutForm } from './checkout-form.ts'

const { connect } = createMarketplace(t)
const { notFound, rejected, transient } = AdapterErrorCode
const form = (id: string) => checkoutForm({ id })

function open (settings?: Record<string, unknown>) {
  const { client, context } = connect(settings === undefined ? {} : { settings })
  return createCapability(client, context)
}

t.test('an order is read by its id, and a superseded one is not found', async t => {
  rest().get('/order/checkout-forms/f-1').reply(200, form('f-1'))
    .get('/order/checkout-forms/a%2Fb').reply(200, form('a/b'))
    .get('/order/checkout-forms/old').reply(404, { errors: [{ code: 'CHECKOUT_FORM_NOT_FOUND' }] })

  t.match(await open().getOrder('f-1'), { externalId: 'f-1' })
  t.match(await open().getOrder('a/b'), { externalId: 'a/b' })
  await t.rejects(open().getOrder('old'), { code: notFound })
  await t.rejects(open().getOrder('..'), { code: rejected })
})

t.test('a 404 that does not say that the order is unknown is a transient error', async t => {
  for (const body of ['<html>no such route</html>', { errors: [{ code: 'NotFound' }] }, { errors: [] }]) {
    rest().get('/order/checkout-forms/f-1').reply(404, body)
    await t.rejects(open().getOrder('f-1'), { code: transient, status: 404 })
  }
  rest().get('/order/checkout-forms/f-1').reply(404, { errors: [{ code: 'CheckoutFormNotFoundException' }] })
  await t.rejects(open().getOrder('f-1'), { code: notFound })
})

t.test('the operator sets the domains that hide buyers', async t => {
  rest().get('/order/checkout-forms/f-1').reply(200, checkoutForm({ buyer: { email: 'x+y@hidden.example' } }))

  const { buyer } = await open({ ...platform, maskedMailDomains: ['hidden.'] }).getOrder('f-1')
  t.same(buyer, { email: 'x@hidden.example' })
})
