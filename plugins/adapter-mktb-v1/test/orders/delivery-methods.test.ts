import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { listDeliveryMethods } from '../../src/orders/delivery-methods.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect } = createMarketplace(t)

t.test('the dictionary names the methods of all price lists', async t => {
  const price = (id: string) => ({
    deliveryMethod: { id, deliveryTime: { unit: 'days', minPeriod: 1, maxPeriod: 2 } },
    basePrice: 999,
    nextItemPrice: 0,
    limit: 5
  })
  upstream()
    .get('/delivery/priceListsDetails').reply(200, [
      { id: 1, name: '*', prices: [price('dpd'), price('mktbLocker')] },
      { id: 2, name: 'heavy', prices: [price('dpd'), price('unlisted')] }
    ])
    .get('/dictionaries/deliveryMethods').reply(200, [
      { id: 'mktbLocker', name: 'Locker', cod: false, vendor: 'inpost' },
      { id: 'dpd', name: 'Courier DPD', cod: true, vendor: 'dpd' },
      { id: 'ups', name: 'UPS', cod: false, vendor: 'ups' }
    ])

  t.same(await listDeliveryMethods(connect().client), [
    { id: 'dpd', name: 'Courier DPD', cashOnDelivery: true },
    { id: 'mktbLocker', name: 'Locker', cashOnDelivery: false },
    { id: 'unlisted', name: 'unlisted' }
  ])
})

t.test('price lists in another form are a transient error', async t => {
  upstream().get('/delivery/priceListsDetails').reply(200, [{ id: 1, name: '*' }])

  await t.rejects(listDeliveryMethods(connect().client), {
    code: AdapterErrorCode.transient,
    message: /priceListsDetails/
  })
})
