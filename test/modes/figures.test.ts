import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Figures {
  step: number
  times: number[]
  series: Record<string, (number | null)[]>
  refused: Record<string, number[]>
}

const sum = (column: readonly (number | null)[] = []): number =>
  column.reduce<number>((total, value) => total + (value ?? 0), 0)
const most = (column: readonly (number | null)[] = []): number => Math.max(-1, ...column.map(value => value ?? -1))

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: figures outlive the process that counted them`, async t => {
    const hub = await buildTestHub(t, { mode })
    const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
    const figures = async (query = '') => (await hub.call('GET', `/figures?${query}`)).json as Figures

    async function announce (eventType: string, objectType: string, externalId: string) {
      const event = { eventType, objectType, externalId, eventId: randomUUID(), requestId: randomUUID() }
      await hub.deliver(shop, event)
      await hub.jobsOf(event.requestId)
      return event
    }

    hub.shop.addProduct({ id: 4711, name: 'Lamp', quantity: 5 })
    const event = await announce('product.saved', 'product', '4711')
    await hub.deliver(shop, event)
    const [product] = (await hub.call('GET', `/products?connectionId=${shop}&externalId=4711`)).json as {
      variants: { id: string }[]
    }[]
    const variantId = product?.variants[0]?.id ?? ''
    hub.market.addProduct(variantId, { stock: 5 })
    await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId, externalId: variantId } })
    hub.shop.setStock(4711, 0, 3)
    await announce('stock.changed', 'stock', '4711')
    await announce('product.saved', 'product', 'nowhere')
    await hub.call('POST', `/webhooks/shopa/${shop}`, { body: '{}', headers: { authorization: '' } })
    await hub.call('POST', `/webhooks/shopa/${randomUUID()}`, { body: '{}', headers: { authorization: '' } })
    const nowhere = randomUUID()

    await hub.restart()

    t.test('the hub has the sum of its connections', async t => {
      const { series, refused } = await figures()
      t.equal(sum(series.webhooksAccepted), 3)
      t.equal(sum(series.webhooksRepeated), 1)
      t.equal(sum(series.webhooksRefused), 2)
      t.equal(sum(refused.LNK_WEBHOOK_CONNECTION_NOT_FOUND), 1)
      t.equal(sum(series.jobsDead), 1)
      t.ok(sum(series.jobsSucceeded) >= 3)
      t.ok(sum(series.upstream2xx) >= 2)
      t.equal(sum(series.stockWrites), 1)
    })

    t.test('a connection has its own', async t => {
      const ofShop = await figures(`connectionId=${shop}`)
      const ofMarket = await figures(`connectionId=${market}`)
      t.strictSame([ofShop, ofMarket].map(({ series }) => sum(series.webhooksAccepted)), [3, 0])
      t.strictSame([ofShop, ofMarket].map(({ series }) => sum(series.webhooksRefused)), [1, 0])
      t.strictSame([ofShop, ofMarket].map(({ series }) => sum(series.stockWrites)), [0, 1])
      t.strictSame([ofShop, ofMarket].map(({ series }) => sum(series.jobsDead)), [1, 0])
    })

    t.test('the time from the webhook to the written quantity is known', async t => {
      const { series } = await figures(`connectionId=${market}`)
      for (const name of ['writtenP50', 'writtenP95', 'writtenP99', 'upstreamP50']) {
        t.ok(most(series[name]) > 0, name)
      }
      t.ok(most(series.writtenP99) < 600_000)
    })

    t.test('every column has a value for each slot, and the newest has a sample', async t => {
      await eventually('a sample', async () => most((await figures()).series.queued) >= 0 ? true : undefined)
      const { step, times, series, refused } = await figures()
      t.strictSame([step, times.length <= 290], [300, true])
      for (const [name, column] of [...Object.entries(series), ...Object.entries(refused)]) {
        t.equal(column.length, times.length, name)
      }
      t.equal(most(series.drift), 0)
    })

    t.test('the health of all connections is one list', async t => {
      const { status, json, text } = await hub.call('GET', '/connections/health')
      t.equal(status, 200, text)
      const found = json as Record<string, unknown>[]
      t.match(found, [
        {
          id: shop,
          platformType: 'shopa',
          status: 'active',
          lastSuccessAt: /Z$/,
          lastFailureAt: /Z$/,
          lastFailureCode: /^LNK_/,
          waiting: Number,
          dead: 1
        },
        { id: market, lastSuccessAt: /Z$/, waiting: 0, dead: 0 }
      ])
      for (const { succeededPerHour, failedPerHour } of found as Record<string, number[]>[]) {
        t.strictSame([succeededPerHour?.length, failedPerHour?.length], [24, 24])
        t.ok(sum(succeededPerHour) > 0)
      }
      t.strictSame(found.map(({ failedPerHour }) => sum(failedPerHour as number[]) > 0), [true, false])
      const first = await hub.call('GET', '/connections/health?limit=1')
      t.match([first.json, first.headers.link], [[{ id: shop }], /cursor=.*rel="next"/])
      const [, next = ''] = /<([^>]+)>/.exec(String(first.headers.link)) ?? []
      t.match((await hub.call('GET', next)).json, [{ id: market }])
      t.match((await hub.call('GET', '/connections/health?platformType=mktb&status=active')).json, [{ id: market }])
      t.strictSame((await hub.call('GET', '/connections/health?status=error')).json, [])
      t.equal((await hub.call('GET', '/connections/health?status=lost')).status, 400)
    })

    t.test('a span or a connection that does not exist is refused', async t => {
      const cases = [
        ['step=90', '/step'],
        ['step=0', '/step'],
        ['from=yesterday', '/from'],
        ['from=2020-01-01T00:00:00Z', '/from'],
        ['to=2020-01-01T00:00:00Z', '/from'],
        [`from=${new Date(Date.now() - 47 * 3_600_000).toISOString()}&step=60`, '/step']
      ] as const
      for (const [query, pointer] of cases) {
        const answer = await hub.call('GET', `/figures?${query}`)
        t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' }, query)
        t.match(pointersOf(answer), [new RegExp(`${pointer}$`)], query)
      }
      t.equal((await hub.call('GET', '/figures?unknown=1')).status, 400)
      t.match(problemOf(await hub.call('GET', `/figures?connectionId=${nowhere}`)), {
        status: 404,
        code: 'LNK_CONNECTION_NOT_FOUND'
      })
    })

    t.test('the figures of a deleted connection go, and those of the hub stay', async t => {
      const before = sum((await figures()).series.webhooksAccepted)
      await hub.call('DELETE', `/offers/${variantId}`)
      await hub.call('PATCH', `/connections/${market}/disable`)
      const deleted = await hub.call('DELETE', `/connections/${market}`)
      t.equal(deleted.status, 200, deleted.text)

      t.strictSame(await hub.database().query('select from figures where connection_id = $1', [market]), [])
      t.equal(sum((await figures()).series.webhooksAccepted), before)
    })
  })
}
