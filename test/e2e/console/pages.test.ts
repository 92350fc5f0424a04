import t from 'tap'
import { openConsole } from '../../support/console.ts'
import { openShopAndMarket } from '../../support/shop-and-market.ts'

const pages = [
  '/console/',
  '/console/connections',
  '/console/connections/new',
  '/console/offers',
  '/console/stock',
  '/console/stock/sweeps',
  '/console/orders',
  '/console/jobs',
  '/console/deliveries',
  '/console/adapters',
  '/console/figures',
  '/console/audit',
  '/console/access',
  '/console/system',
  '/console/no-such-page'
]

t.test('every page is sound', async t => {
  const { hub, shopId, marketId } = await openShopAndMarket(t, { mode: 'embedded' })
  const [offer] = (await hub.call('GET', '/offers')).json as { id: string }[]
  const { visit, inspect } = await openConsole(t, { url: hub.url, token: hub.keys.admin })

  for (const path of [...pages, `/console/connections/${shopId}`, `/console/connections/${marketId}`]) {
    await visit(path)
    await inspect(path)
  }
  t.type(offer?.id, 'string')
})
