import t from 'tap'
import { eventually } from '../support/api.ts'
import type { Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

const mode = cheapestMode(process.env)

type WaitingJob = Job & { waitsFor: { reason: string, detail: string } | null }

interface Item {
  kind: string
  title: string
  connectionId?: string
}

t.test('while the shop shows its maintenance page, quantities go on, and its orders are made after it', async t => {
  const { hub, shopId, marketId, offer, stock, orderWhen } = await openShopAndMarket(t, { mode })
  const { query } = hub.database()
  const items = async (): Promise<Item[]> => {
    const all = (await hub.call('GET', '/attention')).json as Item[]
    return all.filter(({ kind }) => kind === 'platform-resting')
  }
  const creations = async (): Promise<WaitingJob[]> => {
    const { json } = await hub.call('GET', `/jobs?jobType=master.order.create&connectionId=${shopId}`)
    return json as WaitingJob[]
  }
  const pages = (): number =>
    hub.shop.requests.entries.filter(({ path, status }) => path === '/index.php' && status === 503).length

  hub.shop.switches.maintenance = true
  const placed = [1, 2, 3].map(quantity => hub.market.placeOrder({ lines: [{ externalId: offer, quantity }] }))
  await hub.call('POST', '/jobs', { body: { jobType: 'marketplace.orders.poll', connectionId: marketId } })

  const waiting = await eventually('the orders to wait for the module', async () => {
    const found = await creations()
    return found.length === 3 && found.every(({ waitsFor }) => waitsFor?.reason === 'unavailable') ? found : undefined
  })
  for (const { problem, waitsFor } of waiting) {
    t.match(problem, { code: 'LNK_PLATFORM_UNAVAILABLE', message: 'maintenance page, 503' })
    t.equal(waitsFor?.detail, 'maintenance page, 503')
  }
  const { json: traffic } = await hub.call('GET', `/connections/${shopId}/upstream`)
  t.match(traffic, {
    throttledUntil: null,
    rest: null,
    breaker: { state: 'closed' },
    areas: [{ name: 'module', rest: { reason: 'maintenance page, 503', isAway: true } }]
  })

  hub.shop.setQuantity(27, 101, 12)
  await hub.deliver(shopId, { eventType: 'stock.changed', objectType: 'stock', externalId: '27' })
  await eventually('the new quantity at the marketplace', async () => stock().market === 6 || undefined)

  t.strictSame(await items(), [], 'a short rest needs nobody')
  const sent = pages()
  await query(
    `update upstream_states
    set version = version + 1, state = jsonb_set(
      state, '{areas,module,rest,since}', to_jsonb((state #>> '{areas,module,rest,since}')::float8 - 180000)
    )
    where connection_id = $1`,
    [shopId]
  )
  const standing = await eventually('the item', async () => {
    const found = await items()
    return found.length > 0 ? found : undefined
  })
  t.match(standing, [{ connectionId: shopId, title: /is away: maintenance page, 503$/ }])
  const { json: diagnostics } = await hub.call('GET', `/connections/${shopId}/diagnostics`)
  const { findings } = diagnostics as { findings: { code: string, detail: string }[] }
  t.match(findings.find(({ code }) => code === 'upstream-away'), {
    detail: /^Area 'module' of .* 3 jobs wait for it\. The reason: maintenance page, 503\.$/
  })
  t.strictSame(findings.filter(({ code }) => code === 'upstream-throttled' || code.startsWith('jobs-wait')), [])
  t.equal(pages(), sent, 'no job has called the module meanwhile')

  hub.shop.switches.maintenance = false
  await query(
    `update upstream_states
    set version = version + 1, state = jsonb_set(
      state, '{areas,module,throttledUntil}', to_jsonb((extract(epoch from now()) * 1000)::bigint - 1)
    )
    where connection_id = $1`,
    [shopId]
  )
  await query("update jobs set due_at = now() where waits_for_part = 'unavailable:module'")
  for (const id of placed) await orderWhen(id, 'created')

  t.equal(hub.shop.orders().length, 3)
  await eventually('the end of the item', async () => (await items()).length === 0 || undefined)
  t.strictSame((await hub.call('GET', '/jobs?status=dead')).json, [])
  t.strictSame(await query('select id from jobs where failures > 0'), [], 'no job has used an attempt')
})
