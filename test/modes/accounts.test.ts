import t from 'tap'
import type { TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface View {
  id: string
  account: { name: string, takesOrders: boolean } | null
  ordersSince: string | null
}
interface Order {
  externalId: string
  status: string
  connectionId: string
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: two connections to one account do not double its orders`, async t => {
    const { hub, marketId, offer, orderWhen, settle } = await openShopAndMarket(t, { mode })
    const place = () => hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1, unitPrice: 4_999 }] })
    const connect = (more: object) =>
      hub.call('POST', '/connections', {
        body: { name: 'Again', platformType: 'mktb', credentials: hub.keys.market, ...more }
      })
    const poll = async (connectionId: string) => {
      const jobs = await run(hub, 'marketplace.orders.poll', connectionId)
      await settle()
      return jobs
    }
    const orders = async () => (await hub.call('GET', '/orders?limit=200')).json as Order[]
    const atShop = () => hub.shop.orders().length

    await t.test('a second connection is refused and the first is named; an allowed one takes no orders', async t => {
      t.match(problemOf(await connect({})), {
        status: 409,
        code: 'LNK_ACCOUNT_CONNECTED',
        detail: new RegExp(marketId)
      })
      const { id } = (await connect({ allowSameAccount: true })).json as View
      t.match((await hub.call('GET', `/connections/${id}`)).json, { account: { takesOrders: false } })

      const placed = place()
      t.match(await poll(id), [{ result: { skipped: /another connection/ } }])
      t.equal(atShop(), 0)
      await poll(marketId)
      await orderWhen(placed, 'created')
      t.match(await run(hub, 'marketplace.orders.sweep', id), [{ result: { skipped: /another connection/ } }])
      t.equal(atShop(), 1)
      await remove(hub, id)
    })

    await t.test('a connection in place of a deleted one makes no order again, also by a sweep of all', async t => {
      await remove(hub, marketId)
      const between = place()
      const { id, ordersSince } = (await connect({})).json as View
      t.match(ordersSince, /Z$/)
      await poll(id)
      await hub.call('POST', `/connections/${id}/orders/sweep`, { body: {} })
      await settle()

      const found = await orders()
      t.match(found.find(({ externalId }) => externalId === between), { status: 'elsewhere', connectionId: id })
      t.equal(new Set(found.map(({ externalId }) => externalId)).size, found.length)
      t.equal(atShop(), 1, 'neither the known order nor the one that was placed before')

      const later = place()
      await poll(id)
      t.equal((await orders()).find(({ externalId }) => externalId === later)?.status, 'awaiting_mapping')

      const taken = await hub.call('POST', `/connections/${id}/take-over`, { body: { connectionId: marketId } })
      t.match(taken.json, { taken: [{ what: 'orders' }, { what: 'links of offers', count: 1 }, { what: 'cursors' }] })
      await settle()
      t.match((await hub.call('GET', `/connections/${id}`)).json, { ordersSince: null })
      await run(hub, 'marketplace.orders.sweep', id)
      await poll(id)
      t.strictSame((await orders()).map(({ connectionId, status }) => [connectionId, status]), [
        [id, 'created'],
        [id, 'created'],
        [id, 'created']
      ])
      t.equal(atShop(), 3)
    })
  })
}

async function run (hub: TestHub, jobType: string, connectionId: string) {
  const requestId = `${jobType}-${connectionId}-${performance.now()}`
  await hub.call('POST', '/jobs', {
    body: { jobType, connectionId, payload: {} },
    headers: { 'x-request-id': requestId }
  })
  const jobs = await hub.jobsOf(requestId)
  return jobs.filter(job => job.jobType === jobType)
}

async function remove (hub: TestHub, id: string): Promise<void> {
  await hub.call('PATCH', `/connections/${id}/disable`)
  const { status, text } = await hub.call('DELETE', `/connections/${id}?force=true`)
  if (status !== 200) throw new Error(text)
}
