import { join } from 'node:path'
import t from 'tap'
import { openConsole } from '../support/console.ts'
import { repository } from '../support/project.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

// `npm run pictures` takes the pictures of the documentation from the console itself.

t.test('the console is shown as it is', async t => {
  const { hub, shopId, offer, poll, settle } = await openShopAndMarket(t, { mode: 'embedded' })
  const [linked] = (await hub.call('GET', '/offers')).json as { id: string }[]
  for (const externalId of ['901', '902', '903']) {
    const body = { jobType: 'master.product.syncByExternalId', connectionId: shopId, payload: { externalId } }
    await hub.call('POST', '/jobs', { body })
  }
  hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
  await poll()
  await settle()
  const { page, visit } = await openConsole(t, { url: hub.url, token: hub.keys.admin })

  async function show (name: string, path: string): Promise<void> {
    await visit(path)
    // Parts that fade in are there after this time, and the last hour has its numbers.
    await page.waitForTimeout(1_500)
    await page.screenshot({
      path: join(repository, 'test', 'pictures', `${name}.jpg`),
      type: 'jpeg',
      quality: 80
    })
  }

  await page.setViewportSize({ width: 1_200, height: 720 })
  await show('overview', '/console/')
  await show('offer', `/console/offers/${linked?.id}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await show('jobs', '/console/jobs')
})
