import type { MktADeliveryMethod } from '@linker/simulators'
import t from 'tap'
import { openMktA } from './market.ts'

t.test('delivery methods need a marketplace, and shipping rates name the methods that the seller uses', async t => {
  const { market, call } = await openMktA(t)
  const names = async (query: string) =>
    ((await call('GET', `/sale/delivery-methods${query}`)).json() as { deliveryMethods: MktADeliveryMethod[] })
      .deliveryMethods.map(({ name }) => name)

  t.strictSame(await names(''), [])
  t.strictSame(await names('?marketplace=mkta-pl'), ['Courier', 'Courier, cash on delivery', 'Locker'])
  t.strictSame(await names('?marketplace=mkta-cz'), ['Locker', 'Courier abroad'])
  t.match((await call('GET', '/sale/delivery-methods?marketplace=mkta-pl')).json(), {
    deliveryMethods: [{
      marketplaces: ['mkta-pl'],
      paymentPolicy: 'IN_ADVANCE',
      shippingRatesConstraints: { allowed: true, firstItemRate: { min: '0.00', max: '50.00', currency: 'PLN' } }
    }, { paymentPolicy: 'CASH_ON_DELIVERY' }]
  })
  const [rates] = market.shippingRates
  t.strictSame((await call('GET', '/sale/shipping-rates')).json(), {
    shippingRates: [{
      id: rates?.id,
      name: 'Standard',
      marketplaces: [{ id: 'mkta-pl' }],
      features: { isFulfillment: false }
    }]
  })
  t.strictSame((await call('GET', `/sale/shipping-rates/${rates?.id}`)).json(), {
    id: rates?.id,
    name: 'Standard',
    rates: rates?.rates,
    lastModified: '2025-01-01T12:00:00.000Z'
  })
  t.strictSame(rates?.rates[0]?.maxPackageWeight, { value: '30.000', unit: 'KILOGRAM' })
  t.equal(rates?.rates[0]?.deliveryMethod.id, market.deliveryMethods[0]?.id)
  t.equal((await call('GET', '/sale/shipping-rates/unknown')).status, 404)
})

t.test('another seller has no shipping rates here', async t => {
  const { market, call } = await openMktA(t)
  market.consent.account.id = '44300002'
  const headers = { authorization: `Bearer ${market.issueTokens().accessToken}` }

  t.strictSame((await call('GET', '/sale/shipping-rates', undefined, headers)).json(), { shippingRates: [] })
  t.equal((await call('GET', `/sale/shipping-rates/${market.shippingRates[0]?.id}`, undefined, headers)).status, 404)
})
