import t from 'tap'
import { createClock, openShop } from '../support.ts'

const gross = 'price[my][use_tax]=1&price[my][country]=14'

/** A shop whose mug is 100.00 with tax, 105.00 as combination 101, and whose plate is 50.00. */
async function open (t: Parameters<typeof openShop>[0]) {
  const clock = createClock('2025-01-02T10:00:00Z')
  const { shop, get } = await openShop(t, { now: clock.now })
  const priceOf = async (resource: 'products' | 'combinations', id: number, question = gross) => {
    const answer = (await get(`/${resource}?filter[id]=[${id}]&display=full&${question}`)).json()
    return (answer as Record<string, Array<{ my: string }>>)[resource]?.[0]?.my
  }
  return { shop, get, clock, priceOf }
}

t.test('the shop computes the gross price that it sells at, and `price` stays that of the catalog', async t => {
  const { shop, get, priceOf } = await open(t)
  t.equal(await priceOf('products', 28), '50.000000')

  shop.addPromotion({ productId: 28, percentage: '0.200000' })

  t.equal(await priceOf('products', 28), '40.000000')
  t.equal(await priceOf('products', 28, `${gross}&price[my][decimals]=2`), '40.000000')
  t.equal(await priceOf('products', 28, `${gross}&price[my][use_reduction]=0`), '50.000000')
  t.equal(await priceOf('products', 28, 'price[my][use_tax]=0'), '32.520326')
  t.match((await get('/products?filter[id]=[28]&display=full')).json(), { products: [{ price: '40.650407' }] })
  t.match((await get('/specific_prices?filter[id_product]=[28]&display=full')).json(), {
    specific_prices: [{ id_cart: '0', reduction: '0.200000', reduction_type: 'percentage', price: '-1.000000' }]
  })
})

t.test('an amount is gross, a price of its own is net, and a combination may have one of its own', async t => {
  const { shop, priceOf } = await open(t)
  const amount = shop.addPromotion({ productId: 27, amount: '10.000000' })
  t.equal(await priceOf('combinations', 101, `${gross}&price[my][decimals]=2`), '95.000000')
  shop.endPromotion(amount)

  shop.addPromotion({ productId: 27, combinationId: 101, price: '10.000000' })
  t.equal(await priceOf('combinations', 101), '12.300000')
  t.equal(await priceOf('combinations', 102, `${gross}&price[my][decimals]=2`), '100.000000')
})

t.test('a promotion counts within its times and from its quantity on', async t => {
  const { shop, clock, priceOf } = await open(t)
  // The shop writes the time of Warsaw: it is 11:00 there.
  shop.addPromotion({
    productId: 28,
    percentage: '0.500000',
    from: '2025-01-02 11:30:00',
    to: '2025-01-02 12:00:00'
  })
  shop.addPromotion({ productId: 28, percentage: '0.100000', fromQuantity: 3 })
  const cents = `${gross}&price[my][decimals]=2`
  t.equal(await priceOf('products', 28, cents), '50.000000')
  t.equal(await priceOf('products', 28, `${cents}&price[my][quantity]=3`), '45.000000')

  clock.set('2025-01-02T10:30:00Z')
  t.equal(await priceOf('products', 28, cents), '25.000000')
  clock.set('2025-01-02T11:00:00Z')
  t.equal(await priceOf('products', 28, cents), '50.000000')
})
