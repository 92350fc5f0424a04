import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

interface Item {
  kind: string
  severity: string
  count: number
  title: string
  detail: string
  target: string
}

async function find (hub: TestHub, kind: string): Promise<Item[]> {
  return ((await hub.call('GET', '/attention')).json as Item[]).filter(item => item.kind === kind)
}

/** Waits for the item of a case; its target answers, and `linker attention` shows it. */
async function seen (t: Test, hub: TestHub, kind: string): Promise<Item> {
  const item = await eventually(`an item of kind ${kind}`, async () => (await find(hub, kind))[0])
  t.equal((await hub.call('GET', item.target)).status, 200, item.target)
  const { stdout } = await runLinker(['attention', '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  t.ok(stdout.includes(item.title), stdout)
  return item
}

async function gone (t: Test, hub: TestHub, kind: string): Promise<void> {
  await eventually(`the end of ${kind}`, async () => (await find(hub, kind)).length === 0 ? true : undefined)
  t.pass(`${kind} is over`)
}

async function run (hub: TestHub, connectionId: string, jobType: string, payload = {}): Promise<void> {
  const { json } = await hub.call('POST', '/jobs', { body: { jobType, connectionId, payload } })
  await hub.endOf((json as { jobId: string }).jobId)
}

t.test('each case is an item as long as it lasts', async t => {
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), now })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const market = await hub.connect('mktb', { name: 'My market' })
  const reads = (externalId: number) =>
    run(hub, shop, 'master.product.syncByExternalId', { externalId: String(externalId) })

  await t.test('refused webhooks, until one is accepted', async t => {
    await hub.call('POST', `/webhooks/shopa/${shop}`, { body: {} })
    await hub.settleRefusals()

    t.match(await seen(t, hub, 'refused-webhooks'), {
      severity: 'error',
      count: 1,
      title: "The hub refuses the webhooks of 'My shop'",
      detail: /are missing.*The sender does not sign, or a proxy removes its headers/
    })
    const event = { eventType: 'product.saved', objectType: 'product', externalId: '27' }
    t.equal((await hub.deliver(shop, event)).status, 202)
    await gone(t, hub, 'refused-webhooks')
  })

  await t.test('an offer that lost its product, until it is linked to another', async t => {
    const variantOf = async (id: number) => {
      const { json } = await hub.call('GET', `/products?connectionId=${shop}&externalId=${id}`)
      return (json as { variants: { id: string }[] }[])[0]?.variants[0]?.id ?? ''
    }
    hub.shop.addProduct({ id: 701, name: 'Old lamp', quantity: 4, fields: { reference: 'LAMP' } })
    await run(hub, shop, 'master.inventory.syncAll')
    await reads(701)
    const lost = await variantOf(701)
    hub.market.addProduct(lost, { stock: 4 })
    const link = { connectionId: market, externalId: lost }
    const { json } = await hub.call('POST', '/offers/link', { body: { ...link, variantId: lost } })
    hub.shop.deleteProduct(701)
    hub.shop.addProduct({ id: 702, name: 'New lamp', quantity: 9, fields: { reference: 'LAMP' } })
    await run(hub, shop, 'master.inventory.syncAll')
    await reads(702)

    t.match(await seen(t, hub, 'lost-offers'), {
      severity: 'warning',
      count: 1,
      title: "1 offer of 'My market' lost its product in the shop",
      detail: /'Old lamp' \(\S+\) may be 'New lamp' by its reference\. The hub links none by itself/
    })
    await hub.call('DELETE', `/offers/${(json as { id: string }).id}`)
    await hub.call('POST', '/offers/link', { body: { ...link, variantId: await variantOf(702) } })
    await gone(t, hub, 'lost-offers')
  })

  await t.test('a message that nobody can handle, until it is removed', async t => {
    await hub.database()
      .query('insert into stream_messages (stream, fields) values (\'jobs.sync\', \'{"jobType":""}\')')

    t.match(await seen(t, hub, 'dead-messages'), {
      severity: 'error',
      count: 1,
      title: 'The hub could not read 1 message for a job that it had accepted',
      detail: /went to jobs\.sync\.dead, the last at .*: malformed: /
    })
    await hub.database().query("delete from stream_messages where stream = 'jobs.sync.dead'")
    await gone(t, hub, 'dead-messages')
  })

  await t.test('a question that fails, until it can be answered', async t => {
    const { query } = hub.database()
    await query('alter table inventory_sweeps rename to away')

    t.match(await seen(t, hub, 'unchecked'), {
      severity: 'warning',
      title: 'The hub could not look at the sweeps of stock',
      detail: /^An error ended the look at the sweeps of stock/
    })
    await query('alter table away rename to inventory_sweeps')
    await gone(t, hub, 'unchecked')
  })

  await t.test('no channel for alerts a day after the first connection, until one is set', async t => {
    t.strictSame(await find(hub, 'no-alert-channel'), [])
    await hub.database().query("update connections set created_at = created_at - interval '25 hours' where id = $1", [
      shop
    ])

    t.match(await seen(t, hub, 'no-alert-channel'), { severity: 'info' })
    await hub.restart({
      now,
      variables: { LINKER_ALERT_WEBHOOK_URL: 'http://127.0.0.1:9/', LINKER_ALERT_WEBHOOK_SECRET: 'a-secret-of-alerts' }
    })
    await gone(t, hub, 'no-alert-channel')
  })

  await t.test('two products with one reference, until one has another', async t => {
    hub.shop.addProduct({ id: 601, name: 'Red mug', quantity: 1, fields: { reference: 'MUG-1' } })
    hub.shop.addProduct({ id: 602, name: 'Blue mug', quantity: 1, fields: { reference: 'mug-1' } })
    for (const id of [601, 602]) await reads(id)
    // The hub reads the whole catalog once an hour.
    clock.aheadMs = 3_600_000

    t.match(await seen(t, hub, 'shared-references'), {
      severity: 'warning',
      count: 1,
      title: "1 reference of 'My shop' stands on several products",
      detail: /the reference 'MUG-1' \(2 variants\)/i
    })
    hub.shop.updateProduct(602, { reference: 'MUG-2' })
    await reads(602)
    await gone(t, hub, 'shared-references')
  })
})
