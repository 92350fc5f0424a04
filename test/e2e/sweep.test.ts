import { generateCatalog } from '@linker/simulators'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { configShop, type ConfigShopStock } from '../support/config-shop.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openStockLine, sweepStock } from '../support/stock-line.ts'

interface Sweep {
  id: string
  status: string
  problem: string | null
  pages: number
  seen: number
  changed: number
  missing: number
}
interface Stock {
  variantId: string
  quantity: number
  version: number
  missingSince: string | null
  updatedAt: string
}
interface Product {
  externalId: string
  name: string | null
  missingSince: string | null
  variants: { id: string, missingSince: string | null }[]
}

const adapters = ['@acme/adapter-feedshop-v1', '@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1']

async function buildFeedHub (t: Test, options: Partial<Parameters<typeof buildTestHub>[1]> = {}): Promise<TestHub> {
  return buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [configShop()],
    config: { adapters, schedules: { 'master-inventory-sweep': { enabled: false } } },
    ...options
  })
}

/** Opens one connection to the feed, with the steps that the tests take on it. */
async function openFeed (hub: TestHub, config: ConfigShopStock) {
  const created = await hub.call('POST', '/connections', { body: { name: 'Feed', platformType: 'feedshop', config } })
  if (created.status !== 201) throw new Error(created.text)
  const { id } = created.json as { id: string }
  const sweeps = async (): Promise<Sweep[]> =>
    (await hub.call('GET', `/stock/sweeps?connectionId=${id}`)).json as Sweep[]

  return {
    id,
    sweeps,
    change: async (next: ConfigShopStock) => {
      await hub.call('PATCH', `/connections/${id}`, { body: { config: next } })
    },
    /** Runs a sweep to its end and returns its outcome. */
    async sweep (body: object = {}): Promise<Sweep> {
      const { status, json, text } = await hub.call('POST', '/stock/reconcile', { body: { connectionId: id, ...body } })
      if (status !== 202) throw new Error(text)
      const [jobId = ''] = (json as { jobIds: string[] }).jobIds
      await hub.endOf(jobId)
      return eventually(
        'the end of the sweep',
        async () => (await sweeps()).find(sweep => sweep.id === jobId && sweep.status !== 'running')
      )
    },
    /** Leaves out the names: other jobs read them. */
    stock: async (): Promise<Stock[]> => {
      const rows: Stock[] = []
      for (let path: string | undefined = `/stock?connectionId=${id}&limit=200`; path !== undefined;) {
        const { json, headers } = await hub.call('GET', path)
        rows.push(...(json as (Stock & { name: string | null })[]).map(({ name: _name, ...row }) => row))
        path = /^<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
      }
      return rows
    },
    products: async (): Promise<Product[]> =>
      (await hub.call('GET', `/products?connectionId=${id}&limit=200`)).json as Product[]
  }
}

t.test('a sweep', async t => {
  const hub = await buildFeedHub(t)

  t.test('names what it finds new: few products one by one, many by the list of the shop', async t => {
    const [few, many] = [await openFeed(hub, { count: 5 }), await openFeed(hub, { count: 75 })]
    await few.sweep()
    const swept = await many.sweep()

    await eventually(
      'the names of the few',
      async () => (await few.products()).every(({ name }) => name?.startsWith('Article ')) ? true : undefined
    )
    t.match(swept, { status: 'complete', seen: 75, changed: 75 })
    t.ok((await many.products()).every(({ name }) => name?.startsWith('Article ')))
    t.equal(
      ((await hub.call('GET', `/jobs?connectionId=${many.id}&jobType=master.product.syncByExternalId`))
        .json as unknown[]).length,
      0
    )
    t.equal(
      ((await hub.call('GET', `/jobs?connectionId=${few.id}&jobType=inventory.propagateToMarketplaces`))
        .json as unknown[]).length,
      0,
      'what nobody can sell yet is not propagated'
    )
  })

  t.test('writes what changed and leaves the rest as it is', async t => {
    const feed = await openFeed(hub, { count: 30, quantity: 1 })
    await feed.sweep()
    const before = await feed.stock()
    const unchanged = await feed.sweep()
    t.match(unchanged, { status: 'complete', seen: 30, changed: 0, missing: 0 })
    t.strictSame(await feed.stock(), before)

    await feed.change({ quantity: 2 })
    t.match(await feed.sweep(), { changed: 30 })
    const after = await feed.stock()
    t.strictSame(
      after.map(({ quantity, version }) => [quantity, version]),
      before.map(({ quantity }) => [quantity + 1, 2])
    )
  })

  t.test('sets to zero what the shop does not have any more, and takes it back when it is seen again', async t => {
    const feed = await openFeed(hub, { count: 12, quantity: 5 })
    await feed.sweep()
    await feed.change({ gone: [3, 4] })
    const swept = await feed.sweep()
    const gone = (await feed.stock()).filter(({ missingSince }) => missingSince !== null)

    t.match(swept, { status: 'complete', seen: 10, missing: 2 })
    t.strictSame(gone.map(({ quantity, version }) => [quantity, version]), [[0, 2], [0, 2]])
    t.strictSame(
      (await feed.products()).filter(({ missingSince }) => missingSince !== null).map(({ externalId }) => externalId)
        .toSorted(),
      ['a3', 'a4']
    )
    t.match(await feed.sweep(), { missing: 0 }, 'it is missed once')

    await feed.change({ gone: [] })
    await feed.sweep()
    t.strictSame((await feed.stock()).filter(({ missingSince }) => missingSince !== null), [])
    t.strictSame(
      (await feed.stock()).map(({ quantity }) => quantity).toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, id) => 5 + id)
    )
    t.ok((await feed.products()).every(({ missingSince }) => missingSince === null))
  })

  t.test('does not take a quantity that the shop does not know for zero', async t => {
    const feed = await openFeed(hub, { count: 6, quantity: 5 })
    await feed.sweep()
    const before = await feed.stock()
    await feed.change({ unknown: [2] })

    t.match(await feed.sweep(), { status: 'complete', seen: 5, missing: 0 })
    t.strictSame(await feed.stock(), before)
  })

  t.test('a sweep of a shop that lists nothing deletes nothing, until the operator confirms it', async t => {
    const feed = await openFeed(hub, { count: 3, quantity: 5 })
    await feed.sweep()
    const before = await feed.stock()
    await feed.change({ isEmpty: true })
    const held = await feed.sweep()

    t.match(held, { status: 'held', seen: 0, missing: 3, problem: /3 of 3 variants.*acceptMissing/ })
    t.strictSame(await feed.stock(), before)
    t.ok(hub.log.some(line => line.includes('too many variants missing') && line.includes(feed.id)))

    t.match(await feed.sweep({ acceptMissing: true }), { status: 'complete', missing: 3 })
    t.ok((await feed.stock()).every(({ quantity, missingSince }) => quantity === 0 && missingSince !== null))
  })

  t.test('deletes nothing when more than twenty and more than half are missing, but believes twenty', async t => {
    const feed = await openFeed(hub, { count: 30, quantity: 5 })
    await feed.sweep()
    await feed.change({ gone: Array.from({ length: 21 }, (_, id) => id) })
    t.match(await feed.sweep(), { status: 'held', missing: 21 })
    t.ok((await feed.stock()).every(({ quantity }) => quantity > 0))

    await feed.change({ gone: Array.from({ length: 20 }, (_, id) => id) })
    t.match(await feed.sweep(), { status: 'complete', missing: 20 })
    t.equal((await feed.stock()).filter(({ quantity }) => quantity === 0).length, 20)
  })

  t.test('a sweep of many pages runs in slices, each a job of its own', async t => {
    const feed = await openFeed(hub, { count: 120, pageSize: 1 })
    const { id, ...swept } = await feed.sweep()
    const slices = (await hub.call('GET', `/jobs?connectionId=${feed.id}&jobType=master.inventory.syncAll`))
      .json as Job[]

    t.match(swept, { status: 'complete', seen: 120 })
    t.ok(slices.length >= 3, `${slices.length} jobs`)
    t.strictSame(await hub.database().query('select 1 from inventory_sweep_pages where sweep_id = $1', [id]), [])
  })

  t.test('is the only one of its connection: a request for another one continues it', async t => {
    const feed = await openFeed(hub, { count: 60, pageSize: 1, delayMs: 5 })
    const requests = await Promise
      .all(Array.from({ length: 5 }, () => hub.call('POST', '/stock/reconcile', { body: { connectionId: feed.id } })))
    for (const { json } of requests) await hub.endOf((json as { jobIds: string[] }).jobIds[0] ?? '')
    await eventually(
      'the end of all sweeps',
      async () => (await feed.sweeps()).every(({ status }) => status === 'complete') ? true : undefined
    )

    for (const { seen } of await feed.sweeps()) t.equal(seen, 60)
    t.ok((await feed.stock()).every(({ version }) => version === 1))
  })

  t.test('starts anew when the shop refuses its cursor for good', async t => {
    const feed = await openFeed(hub, { count: 20 })
    await hub.database().query(
      "insert into inventory_sweeps (id, connection_id, cursor, adapter) values (gen_random_uuid(), $1, 'of another " +
        "version', 'feedshop.api.v1@0.9.0')",
      [feed.id]
    )
    t.match(await feed.sweep(), { status: 'complete', seen: 20 })
    t.match(await feed.sweeps(), [{ status: 'complete' }, { status: 'abandoned', problem: /another adapter version/ }])
  })

  t.test('is refused on a connection without stock', async t => {
    const market = await hub.connect('mktb')

    t.match(
      problemOf(await hub.call('POST', '/stock/reconcile', { body: { connectionId: market, acceptMissing: true } })),
      { code: 'LNK_CAPABILITY_NOT_SUPPORTED' }
    )
    t.match(problemOf(await hub.call('POST', '/stock/reconcile', { body: { acceptMissing: true } })), {
      status: 400,
      errors: [{ pointer: '/connectionId' }]
    })
  })
})

t.test('a sweep of products with combinations reads more variants than products a page', async t => {
  const products = generateCatalog({ products: 60, combinationsEach: 4 })
  const line = await openStockLine({ mode: cheapestMode(process.env), environment: process.env, products, seed: 1 })
  const hub = await line.startHub()
  t.teardown(async () => {
    await hub.stop()
    await line.close()
  })
  await line.connect(0)

  const { status, changed } = await sweepStock(line)
  const [sweep] = (await line.call('GET', `/stock/sweeps?connectionId=${line.connections.shop}`)).json as Sweep[]

  t.strictSame({ status, changed }, { status: 'complete', changed: 240 })
  t.match(sweep, { seen: 240 })
})

t.test('a hub sweeps by the clock from its start on, as often as the operator says', async t => {
  const hub = await buildFeedHub(t, { config: { adapters, schedules: {} } })
  const feed = await openFeed(hub, { count: 4 })
  await eventually('the first sweep', async () => (await feed.sweeps()).find(({ status }) => status === 'complete'))
  const [schedule] = (await hub.call('GET', `/schedules?connectionId=${feed.id}`)).json as object[]

  t.match(schedule, {
    name: 'master-inventory-sweep',
    every: '15m',
    enabled: true,
    job: 'master.inventory.syncAll',
    nextAt: String,
    lastJobId: String
  })
  t.equal((await feed.stock()).length, 4)
  t.match(
    (await hub.call('PATCH', `/connections/${feed.id}/schedules/master-inventory-sweep`, { body: { every: '1s' } }))
      .json,
    { every: '1s', enabled: true }
  )
  await feed.change({ quantity: 50 })
  await eventually(
    'a later sweep',
    async () => (await feed.stock()).every(({ quantity }) => quantity >= 50) ? true : undefined
  )
  const market = await hub.connect('mktb')
  t.notOk(((await hub.call('GET', `/schedules?connectionId=${market}`)).json as { name: string }[]).some(({ name }) =>
    name === 'master-inventory-sweep'
  ))
})

t.test('a sweep goes on where it was when the process was killed', async t => {
  const pages = 150
  const hub = await buildFeedHub(t, {
    mode: 'embedded',
    install: directory =>
      writeFile(
        join(directory, 'linker.config.json'),
        JSON.stringify({ adapters, schedules: { 'master-inventory-sweep': { enabled: false } } })
      )
  })
  const feed = await openFeed(hub, { count: pages, pageSize: 1, delayMs: 20, quantity: 3 })
  await hub.stop()
  const variables = { ...hub.variables, LINKER_DATA_DIR: join(hub.directory, 'state') }
  const first = await startHubProcess(hub.directory, variables)
  t.teardown(() => first.kill())
  const api = hub.at(first.url)
  const started = (await api('POST', '/stock/reconcile', { body: { connectionId: feed.id } })).json as {
    jobIds: string[]
  }
  const killedAt = await eventually('the sweep under way', async () => {
    const [sweep] = (await api('GET', `/stock/sweeps?connectionId=${feed.id}`)).json as Sweep[]
    return sweep !== undefined && sweep.pages > 20 ? sweep : undefined
  })
  await first.kill()

  const second = await startHubProcess(hub.directory, variables)
  t.teardown(() => second.kill())
  const again = hub.at(second.url)
  const swept = await eventually(
    'the end of the sweep',
    async () =>
      ((await again('GET', `/stock/sweeps?connectionId=${feed.id}`)).json as Sweep[]).find(({ status }) =>
        status !== 'running'
      )
  )

  t.ok(killedAt.pages < pages, `killed at page ${killedAt.pages}`)
  t.match(swept, { id: started.jobIds[0], status: 'complete', seen: pages, missing: 0, changed: pages })
  t.equal(((await again('GET', `/stock/sweeps?connectionId=${feed.id}`)).json as Sweep[]).length, 1)
  t.equal(await second.stop(), 0)
})
