import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'
import { readStoredTexts } from '../support/stored-texts.ts'

interface Removal {
  deleted: boolean
  personalDataRemovedAt: string | null
  obstacles: { code: string }[]
  removed: { what: string, count: number }[]
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the data of a buyer`, async t => {
    const { hub, marketId, offer, poll, orderWhen, order, settle } = await openShopAndMarket(t, { mode })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
    await poll()
    const { id } = await orderWhen(placed, 'created')
    await settle()
    const path = `/orders/${id}/personal-data`
    const [buyer] = await hub.database().query<
      { email: string, street: string }
    >("select snapshot #>> '{buyer,email}' as email, snapshot #>> '{shipping,address,street}' as street from orders")
    const { email = '', street = '' } = buyer ?? {}
    const holders = async (): Promise<string[]> =>
      [...await readStoredTexts(hub)].flatMap(([name, texts]) =>
        texts.some(text => text.includes(email) || text.includes(street)) ? [name] : []
      )
    t.ok(email.includes('@') && street.length > 3)
    t.strictSame(await holders(), ['public.orders'], 'they lie in one place')

    t.test('stay in an open order', async t => {
      t.match(problemOf(await hub.call('DELETE', path)), { status: 409, code: 'LNK_ORDER_STATE' })
      t.match(await hub.call('DELETE', `${path}?dryRun=true`), {
        status: 200,
        json: { deleted: false, obstacles: [{ code: 'open' }] }
      })
      t.match(problemOf(await hub.call('DELETE', '/orders/00000000-0000-4000-8000-000000000000/personal-data')), {
        status: 404,
        code: 'LNK_ORDER_NOT_FOUND'
      })
      t.match(problemOf(await hub.call('DELETE', `${path}?force=true`)), { status: 400 })
    })

    t.test('go from an ended one, and a new reading does not bring them back', async t => {
      await hub.call('POST', `/orders/${id}/cancel`)
      await settle()
      const planned = (await hub.call('DELETE', `${path}?dryRun=true`)).json as Removal
      t.match(planned, { deleted: false, obstacles: { length: 0 }, personalDataRemovedAt: null })
      t.strictSame(await holders(), ['public.orders'])

      const { status, json } = await hub.call('DELETE', path)
      const removal = json as Removal
      t.match({ status, removal }, { status: 200, removal: { deleted: true, removed: planned.removed } })
      t.strictSame(await holders(), [])

      await hub.call('POST', '/jobs', {
        body: {
          jobType: 'marketplace.order.syncByExternalId',
          connectionId: marketId,
          payload: { externalId: placed }
        }
      })
      await settle()
      t.strictSame(await holders(), [])
      t.match(await order(placed), { status: 'cancelled', personalDataRemovedAt: removal.personalDataRemovedAt })
      const { json: entries } = await hub.call('GET', '/audit?action=order.forget')
      t.match(entries, [{ objectId: id, objectName: placed, connectionId: marketId, changes: [] }])
    })
  })
}
