import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest } from '../marketplace.ts'

const { connect } = createMarketplace(t)
const method = (id: string, paymentPolicy?: string) => ({
  id,
  name: `Method ${id}`,
  marketplaces: ['mkta-pl'],
  paymentPolicy
})

t.test('the methods of all sites in the config form one list', async t => {
  rest().get('/sale/delivery-methods?marketplace=mkta-pl').reply(200, {
    deliveryMethods: [method('1', 'IN_ADVANCE'), method('2', 'CASH_ON_DELIVERY')]
  })
    .get('/sale/delivery-methods?marketplace=mkta-cz').reply(200, {
      deliveryMethods: [method('2', 'CASH_ON_DELIVERY'), method('3')]
    })
  const { client, context } = connect({ config: { marketplaceIds: ['mkta-pl', 'mkta-cz', 'mkta-pl'] } })

  t.same(await createCapability(client, context).listDeliveryMethods(), [
    { id: '1', name: 'Method 1', cashOnDelivery: false },
    { id: '2', name: 'Method 2', cashOnDelivery: true },
    { id: '3', name: 'Method 3' }
  ])
})

t.test('the first site is the default, and an answer in another form is a transient error', async t => {
  rest().get('/sale/delivery-methods?marketplace=mkta-pl').reply(200, { methods: [] })
  const { client, context } = connect()

  await t.rejects(createCapability(client, context).listDeliveryMethods(), { code: AdapterErrorCode.transient })
})
