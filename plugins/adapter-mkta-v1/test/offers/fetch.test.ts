import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'
import { upstreamOffer } from './upstream-offer.ts'

const { connect } = createMarketplace(t)
const { rejected } = AdapterErrorCode
const path = '/sale/product-offers/7680001234'

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

t.test("a 403 for another seller's offer affects only that offer", async t => {
  const refusal = { errors: [{ code: 'AccessDenied', message: 'Access is denied' }] }
  restWrite().patch(path).reply(403, refusal)
  rest().get(path).reply(403, refusal).get('/sale/offers?offer.id=7680001234&limit=1').twice().reply(200, {
    offers: []
  })
  await t.rejects(open().getOffer('7680001234'), { code: rejected, message: /another seller/ })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), {
    code: rejected,
    message: /another seller/
  })

  restWrite().patch(path).reply(403, refusal)
  rest().get('/sale/offers?offer.id=7680001234&limit=1').reply(200, { offers: [upstreamOffer()] })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug blue 300 ml' }), {
    code: AdapterErrorCode.authentication,
    message: /does not permit/
  })
})
