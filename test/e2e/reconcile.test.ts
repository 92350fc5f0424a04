import { signWebhook } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { eventually } from '../support/api.ts'
import { configShop, type ConfigShopStock } from '../support/config-shop.ts'
import { buildTestHub, withoutSchedules, type Job, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { reconcile } from '../support/reconcile.ts'

interface Offer {
  id: string
  quantity: number | null
  upstreamQuantity: number | null
  warnings: { code: string, message: string }[]
}
interface Change {
  externalId: string
  from: number | null
  to: number
}
interface Preview {
  complete: boolean
  seen: number
  changed: number
  missing: number
  held: boolean
  changes: Change[]
  keeps: (Change & { because: string })[]
}

const adapters = ['@acme/adapter-feedshop-v1', '@linker/adapter-mktb-v1']
const secret = 'a-secret-of-the-feed-that-is-long-enough'

async function buildFeedHub (t: Test, feed: Parameters<typeof configShop>[0] = {}): Promise<TestHub> {
  return buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [configShop(feed)],
    config: { adapters, schedules: withoutSchedules },
    variables: { LINKER_WEBHOOK_SECRET__FEEDSHOP: secret }
  })
}

async function createFeed (hub: TestHub, config: ConfigShopStock): Promise<string> {
  const created = await hub.call('POST', '/connections', { body: { name: 'Feed', platformType: 'feedshop', config } })
  if (created.status !== 201) throw new Error(created.text)
  return (created.json as { id: string }).id
}

async function announce (hub: TestHub, connectionId: string, externalId: string): Promise<string> {
  const requestId = randomUUID()
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId: randomUUID(),
    eventType: 'stock.changed',
    occurredAt: new Date().toISOString(),
    object: { type: 'stock', externalId }
  })
  const timestamp = String(Date.now())
  const { status, text } = await hub.call('POST', `/webhooks/feedshop/${connectionId}`, {
    body,
    headers: {
      'x-request-id': requestId,
      'x-linker-timestamp': timestamp,
      'x-linker-signature': signWebhook(secret, timestamp, body)
    }
  })
  if (status !== 202) throw new Error(text)
  return requestId
}

/**
 * Makes an offer to which the hub wrote `quantity` so long ago that a comparison sees the write.
 */
async function listOffer (hub: TestHub, market: string, quantity: number) {
  const feed = await createFeed(hub, { count: 1, quantity })
  await reconcile(hub, feed)
  const [product] = (await hub.call('GET', `/products?connectionId=${feed}`)).json as { variants: { id: string }[] }[]
  const variantId = product?.variants[0]?.id ?? ''
  hub.market.addProduct(variantId, { stock: 50 })
  const requestId = randomUUID()
  const { json } = await hub.call('POST', '/offers/link', {
    body: { connectionId: market, variantId, externalId: variantId },
    headers: { 'x-request-id': requestId }
  })
  await hub.jobsOf(requestId)
  const { id } = json as Offer
  return {
    feed,
    variantId,
    id,
    sold: () => hub.market.product(variantId)?.stock,
    read: async (): Promise<Offer> => (await hub.call('GET', `/offers/${id}`)).json as Offer,
    /** Makes the last write look this many minutes old. */
    age: async (minutes: number) => {
      await hub.database().query("update offers set last_synced_at = now() - interval '1 minute' * $2 where id = $1", [
        id,
        minutes
      ])
    },
    /** Another integration of the seller writes the stock; that freezes nothing. */
    overwrite: async (stock: number) => {
      await request(`${hub.market.baseUrl}/products/${variantId}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${hub.keys.market}`, 'content-type': 'application/json' },
        body: JSON.stringify({ stock })
      })
    }
  }
}

t.test('a comparison with the offers that a marketplace shows', async t => {
  const hub = await buildFeedHub(t)
  const market = await hub.connect('mktb')

  t.test(
    'is written again where it is not what was written, but not while the marketplace may still show the state ' +
      'before',
    async t => {
      const offer = await listOffer(hub, market, 7)
      await offer.overwrite(20)
      t.equal(offer.sold(), 20)
      await offer.age(20)
      t.match(await reconcile(hub, market), { status: 'succeeded', result: { compared: 0 } })
      t.equal(offer.sold(), 20)

      await offer.age(26)
      const preview = (await hub.call('POST', '/stock/reconcile', { body: { connectionId: market, dryRun: true } }))
        .json as Preview
      t.match(preview, {
        complete: true,
        seen: 1,
        changed: 1,
        changes: [{ externalId: offer.variantId, from: 20, to: 7 }]
      })
      t.equal(offer.sold(), 20, 'a dry run writes nothing')
      t.match(await reconcile(hub, market), { result: { compared: 1, different: 1 } })
      t.equal(offer.sold(), 7)
      t.match(await offer.read(), { quantity: 7 })

      await offer.age(26)
      t.match(await reconcile(hub, market), { result: { compared: 1, different: 0 } })
      t.match(await offer.read(), { upstreamQuantity: 7, warnings: { length: 0 } })
    }
  )

  t.test('frozen stock is left alone, and warned of when it is more than the master has', async t => {
    const offer = await listOffer(hub, market, 7)
    hub.market.editInPanel(offer.variantId, { stock: 30 })
    await offer.age(26)
    const job = await reconcile(hub, market)

    t.match(job, { status: 'succeeded', result: { different: 0, frozen: 1 } })
    t.equal(offer.sold(), 30)
    t.match(await offer.read(), {
      upstreamQuantity: 30,
      warnings: [{ code: 'stock-frozen' }, { code: 'oversell', message: /offers 30 .* has 7 left/ }]
    })
    t.ok(hub.log.some(line => line.includes('"code":"oversell"') && line.includes(offer.id)))
  })
})

t.test('a dry run at a marketplace says for every drifting offer what would be written or why it stays', async t => {
  const hub = await buildFeedHub(t)
  const market = await hub.connect('mktb', {
    config: { defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' }
  })
  const feed = await createFeed(hub, { count: 4, quantity: 7 })
  await reconcile(hub, feed)
  await eventually('the names of all products', async () => {
    const [unnamed] = await hub.database().query('select id from products where name is null limit 1')
    return unnamed === undefined ? true : undefined
  })
  const stock =
    new Map(((await hub.call('GET', `/stock?connectionId=${feed}`)).json as { variantId: string, quantity: number }[])
      .map(({ variantId, quantity }) => [variantId, quantity]))
  const [lost = '', refused = '', frozen = '', wished = ''] = stock.keys()
  const refuse = (externalId: string): void => {
    hub.market.faults.add({
      method: 'PATCH',
      path: new RegExp(`/products/${externalId}$`),
      times: Number.POSITIVE_INFINITY,
      answer: { status: 400, body: { failureType: 'failure', message: 'not now', name: 'Error' } }
    })
  }
  const link = async (externalId: string): Promise<void> => {
    const requestId = randomUUID()
    await hub.call('POST', '/offers/link', {
      body: { connectionId: market, variantId: externalId, externalId },
      headers: { 'x-request-id': requestId }
    })
    await hub.jobsOf(requestId)
  }
  const preview = async (): Promise<Preview> =>
    (await hub.call('POST', '/stock/reconcile', { body: { connectionId: market, dryRun: true } })).json as Preview
  const drifting = async (): Promise<number> =>
    ((await hub.call('GET', `/stock?connectionId=${market}&drift=true`)).json as unknown[]).length

  for (const externalId of [lost, refused, frozen]) hub.market.addProduct(externalId, { stock: 50 })
  hub.market.freeze(frozen, ['stock'])
  for (const externalId of [lost, refused]) refuse(externalId)
  for (const externalId of [lost, refused, frozen]) await link(externalId)
  // Simulates a marketplace that was away for all attempts.
  await hub.database().query(
    `
    update jobs set problem = jsonb_set(problem, '{code}', '"LNK_ADAPTER_TRANSIENT"')
    where outcome = 'dead' and payload->>'offerId' = (select id::text from offers where external_id = $1)`,
    [lost]
  )
  const price = { amount: '10.00', currency: 'PLN' }
  const listed = await hub.call('POST', `/listings/connections/${market}/offers`, {
    body: { variantId: wished, stock: 2, price, overrides: { imageUrls: ['https://images.example.com/mug.jpg'] } }
  })
  await hub.endOf((listed.json as { jobId: string }).jobId)
  hub.market.faults.clear()

  t.equal(await drifting(), 4)
  const before = await preview()
  t.match(before, {
    complete: true,
    seen: 4,
    changed: 1,
    changes: [{ externalId: lost, from: null, to: stock.get(lost) }],
    kept: 3,
    linked: 0
  })
  t.strictSame(
    before.keeps.map(({ externalId, because, to }) => [externalId, because, to]).toSorted(),
    [[refused, 'refused'], [frozen, 'frozen'], [wished, 'wished']].map(
      ([id = '', because]) => [id, because, stock.get(id)]
    ).toSorted()
  )
  t.equal(hub.market.product(lost)?.stock, 50, 'a dry run writes nothing')

  await reconcile(hub, market)
  t.equal(hub.market.product(lost)?.stock, stock.get(lost))
  t.match(await preview(), { changed: 0, kept: 3 })
  t.equal(await drifting(), 3)
})

t.test('a dry run at a marketplace says how many offers their reference would link', async t => {
  const hub = await buildFeedHub(t)
  const market = await hub.connect('mktb')
  await reconcile(hub, await createFeed(hub, { count: 1 }))
  const [variant] = await hub.database().query<{ id: string }>('select id from variants')
  for (const externalId of [variant?.id ?? '', 'another']) hub.market.addProduct(externalId)

  t.match((await hub.call('POST', '/stock/reconcile', { body: { connectionId: market, dryRun: true } })).json, {
    seen: 2,
    changed: 0,
    linked: 1
  })
  t.strictSame((await hub.call('GET', '/offers')).json, [])
})

t.test('a dry run reads the master and writes nothing', async t => {
  const hub = await buildFeedHub(t)
  const feed = await createFeed(hub, { count: 30, quantity: 5 })
  const dryRun = async (): Promise<Preview> =>
    (await hub.call('POST', '/stock/reconcile', { body: { connectionId: feed, dryRun: true } })).json as Preview
  const before = await dryRun()
  t.match(before, { complete: true, seen: 30, changed: 30, missing: 0, held: false })
  t.match(before.changes.find(({ to }) => to === 5), { productExternalId: 'a0', externalId: 'v', from: null })
  t.strictSame((await hub.call('GET', `/products?connectionId=${feed}`)).json, [])

  await reconcile(hub, feed)
  await hub.call('PATCH', `/connections/${feed}`, { body: { config: { gone: [1, 2], quantity: 5 } } })
  t.match(await dryRun(), { seen: 28, changed: 0, missing: 2, held: false })
  await hub.call('PATCH', `/connections/${feed}`, { body: { config: { isEmpty: true } } })
  t.match(await dryRun(), { seen: 0, missing: 30, held: true })
  t.strictSame(pointersOf(await hub.call('POST', '/stock/reconcile', { body: { dryRun: true } })), ['/connectionId'])
  t.match(
    problemOf(await hub.call('POST', '/stock/reconcile', {
      body: { connectionId: '00000000-0000-4000-8000-000000000000' }
    })),
    { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' }
  )
})

t.test('reconcile without a connection covers every active one; one Idempotency-Key starts it once', async t => {
  const hub = await buildFeedHub(t)
  const [feed, market, disabled] = [
    await createFeed(hub, { count: 1 }),
    await hub.connect('mktb'),
    await hub.connect('mktb')
  ]
  await hub.call('PATCH', `/connections/${disabled}/disable`)
  const ask = () => hub.call('POST', '/stock/reconcile', { body: {}, headers: { 'idempotency-key': 'once' } })
  const [first, second] = [await ask(), await ask()]
  const { jobIds } = first.json as { jobIds: string[] }
  const jobs = await Promise.all(jobIds.map(id => hub.endOf(id)))

  t.strictSame(jobs.map(({ jobType, connectionId, status }) => [jobType, connectionId, status]).toSorted(), [
    ['marketplace.offers.sync', market, 'succeeded'],
    ['master.inventory.syncAll', feed, 'succeeded']
  ])
  t.strictSame(second.json, first.json)
})

t.test('a change that shares the event of the one before is read after the window, without another event', async t => {
  const hub = await buildFeedHub(t, { windowMs: 500 })
  const feed = await createFeed(hub, { count: 1, quantity: 5 })
  const quantity = async (): Promise<number | undefined> => {
    const [row] = (await hub.call('GET', `/stock?connectionId=${feed}`)).json as { quantity: number }[]
    return row?.quantity
  }
  const first = await hub.jobsOf(await announce(hub, feed, 'a0'))
  const before = await quantity()
  await hub.call('PATCH', `/connections/${feed}`, { body: { config: { quantity: 9 } } })
  await eventually('the second reading', async () => await quantity() === 9 ? true : undefined)
  const jobs = (await hub.call('GET', `/jobs?connectionId=${feed}&limit=200`)).json as Job[]

  t.equal(before, 5)
  t.match(first.map(({ jobType }) => jobType), ['master.inventory.syncByExternalId'])
  t.equal(jobs.filter(({ jobType }) => jobType === 'inventory.readAgain').length, 1)
  t.equal(
    jobs.filter(({ jobType }) => jobType === 'master.inventory.syncByExternalId').length,
    2,
    'the second reading asks for no third'
  )
})

t.test('many products announced at once are read by few calls', async t => {
  const hub = await buildFeedHub(t, { readsMany: true })
  const feed = await createFeed(hub, { count: 40, quantity: 5, unknown: [7], delayMs: 10 })
  const requests = await Promise
    .all(Array.from(
      { length: 40 },
      (_, id) =>
        hub.call('POST', '/jobs', {
          body: { jobType: 'master.inventory.syncByExternalId', connectionId: feed, payload: { externalId: `a${id}` } }
        })
    ))
  const ids = requests.map(({ json }) => (json as { jobId: string }).jobId)
  const jobs = await Promise.all(ids.filter((_, id) => id !== 7).map(id => hub.endOf(id)))
  const unknown = await eventually('the product of unknown stock', async () => {
    const { json } = await hub.call('GET', `/jobs/${ids[7]}`)
    return (json as Job).attempts.length > 0 ? json as Job : undefined
  })
  const calls = hub.log.map(line => JSON.parse(line) as { msg: string, externalIds?: string[] }).filter(({ msg }) =>
    msg === 'many read'
  )

  t.ok(jobs.every(({ status, adapter }) => status === 'succeeded' && adapter === 'feedshop.api.v1@1.0.0'))
  t.equal(((await hub.call('GET', `/stock?connectionId=${feed}`)).json as unknown[]).length, 39)
  t.ok(calls.length > 0 && calls.length < 20, `${calls.length} calls`)
  t.match(
    unknown.attempts[0],
    { error: { code: 'LNK_ADAPTER_TRANSIENT', message: /does not know the quantity of/ } },
    'what is absent from the answer is asked for by itself'
  )
})
