import t from 'tap'
import { openMarket } from '../support.ts'

t.test('price lists hold the ids of methods, the dictionary their names', async t => {
  const { call } = await openMarket(t)

  t.strictSame((await call('GET', '/delivery/priceLists')).json(), [{ id: 1, name: '*' }])
  t.match((await call('GET', '/delivery/priceListsDetails')).json(), [{
    id: 1,
    name: '*',
    prices: [{ deliveryMethod: { id: 'dpd', deliveryTime: { unit: 'days' } }, basePrice: 1499 }, {}, {}]
  }])
  t.strictSame((await call('GET', `/dictionaries/deliveryMethods/${encodeURIComponent('*')}`)).json(), [
    { id: 'dpd', name: 'Courier DPD', cod: false, vendor: 'dpd' },
    { id: 'dpdCod', name: 'Courier DPD, cash on delivery', cod: true, vendor: 'dpd' },
    { id: 'mktbLocker', name: 'Locker', cod: false, vendor: 'inpost' }
  ])
  t.equal((await call('GET', '/dictionaries/deliveryMethods/unknown')).status, 404)
})

t.test('the seller can add methods and price lists, and details are selected by id and name', async t => {
  const { market, call } = await openMarket(t)
  const [standard] = market.priceLists
  t.ok(standard)
  market.deliveryMethods.push({ id: 'drone', name: 'Drone', cod: false, vendor: 'ups' })
  market.priceLists.push({ id: 2, name: 'heavy', prices: [], createdAt: '', updatedAt: '' })

  t.match((await call('GET', '/delivery/priceListsDetails?name=heavy')).json(), [{ id: 2 }])
  t.match((await call('GET', '/delivery/priceListsDetails?id=1')).json(), [{ id: 1 }])
  t.ok((await call('GET', '/dictionaries/deliveryMethods')).text.includes('Drone'))
})
