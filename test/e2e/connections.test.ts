import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Answer } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { ownVersion } from '../support/own-version.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Connection {
  id: string
  platformType: string
  name: string
  status: string
  statusReason: string | null
  config: Record<string, unknown>
  effectiveConfig?: Record<string, unknown>
  credentialsRef: string | null
  adapterKey: string
  adapterVersion: string | null
  capabilities: string[]
  webhooksConfigured: boolean
  createdAt: string
  updatedAt: string
  warnings?: { pointer: string, code: string, message: string }[]
}

const connectionOf = (answer: Answer): Connection => answer.json as Connection
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

function create (hub: TestHub, more: object = {}): Promise<Answer> {
  return hub.call('POST', '/connections', {
    body: {
      name: 'Shop',
      platformType: 'shopa',
      credentials: { apiUrl: hub.shop.apiUrl, apiKey: hub.keys.shop },
      // The simulator has one shop.
      allowSameAccount: true,
      ...more
    }
  })
}

t.test('connections over the API', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })

  t.test('the answer to a new connection has its address, its ETag and the exact version that serves', async t => {
    const created = await create(hub, { name: 'My shop', config: { shopId: '1' }, adapterVersion: `^${ownVersion}` })
    const connection = connectionOf(created)

    t.equal(created.status, 201)
    t.equal(created.headers.location, `/connections/${connection.id}`)
    t.equal(created.headers.etag, '"1"')
    t.match(connection, {
      id: new RegExp(`^${uuid}$`),
      platformType: 'shopa',
      name: 'My shop',
      status: 'active',
      statusReason: null,
      config: { shopId: '1' },
      adapterKey: 'shopa.webservice.v1',
      adapterVersion: ownVersion,
      capabilities: ['ProductMaster', 'InventoryMaster', 'OrderProcessorManager'],
      webhooksConfigured: true
    })
    t.match(connection.credentialsRef, new RegExp(`^db:shopa_\\d{13}_${uuid}$`))
    t.equal(connection.createdAt, connection.updatedAt)

    const read = await hub.call('GET', `/connections/${connection.id}`)
    t.strictSame(read.json, connection)
    t.equal(read.headers.etag, '"1"')
    t.strictSame((await hub.call('GET', `/v1/connections/${connection.id}`)).json, connection, 'also under /v1')
  })

  t.test('the address of a connection made below /v1 is below it, also when the answer is repeated', async t => {
    const body = { name: 'Below', platformType: 'mktb', credentials: hub.keys.market }
    const headers = { 'idempotency-key': randomUUID() }
    const made = await hub.call('POST', '/v1/connections', { body, headers })
    const { id } = connectionOf(made)
    const locations = [made]
    for (const url of ['/v1/connections', '/connections']) {
      locations.push(await hub.call('POST', url, { body, headers }))
    }

    t.strictSame(locations.map(answer => answer.headers.location), [
      `/v1/connections/${id}`,
      `/v1/connections/${id}`,
      `/connections/${id}`
    ])
  })

  t.test('status and capabilities are as given, a subset of what the adapter has', async t => {
    const created = await create(hub, { status: 'disabled', capabilities: ['InventoryMaster'] })
    const unknown = await create(hub, { capabilities: ['InventoryMaster', 'OfferManager'] })

    t.match(connectionOf(created), { status: 'disabled', capabilities: ['InventoryMaster'] })
    t.equal(unknown.status, 400)
    t.strictSame(pointersOf(unknown), ['/capabilities'])
  })

  t.test('marketplace B takes its key as a bare string and gets the default capabilities', async t => {
    const created = await hub.call('POST', '/connections', {
      body: {
        name: 'Marketplace',
        platformType: 'mktb',
        credentials: ` ${hub.keys.market}\n`,
        allowSameAccount: true
      }
    })
    const tested = await hub.call('POST', `/connections/${connectionOf(created).id}/test`)

    t.match(connectionOf(created), {
      platformType: 'mktb',
      adapterKey: 'mktb.shopapi.v1',
      status: 'active',
      capabilities: ['OfferManager'],
      webhooksConfigured: false
    })
    t.match(tested.json, { success: true })
  })

  t.test('members of config that the adapter does not know are kept and reported', async t => {
    const created = await create(hub, { config: { shopId: '1', shopID: '2', constructor: { name: 'x' } } })

    t.equal(created.status, 201)
    t.equal(JSON.stringify(connectionOf(created).config), '{"shopId":"1","shopID":"2","constructor":{"name":"x"}}')
    t.strictSame(connectionOf(created).warnings?.map(({ pointer }) => pointer).toSorted(), [
      '/config/constructor',
      '/config/shopID'
    ])
    t.equal(
      connectionOf(await hub.call('GET', `/connections/${connectionOf(created).id}`)).warnings,
      undefined,
      'only where config was given'
    )
  })

  t.test('the answer about a connection has its config as it was written, and as the adapter gets it', async t => {
    const created = connectionOf(await create(hub, { config: { shopId: '1', moduleName: 'own' } }))
    const effective = { shopId: '1', moduleName: 'own', imageType: 'large_default' }

    t.strictSame(created.config, { shopId: '1', moduleName: 'own' })
    t.strictSame(created.effectiveConfig, effective)
    const read = connectionOf(await hub.call('GET', `/connections/${created.id}`))
    t.strictSame([read.config, read.effectiveConfig], [created.config, effective])
  })

  t.test('a connection needs either credentials or a credentialsRef of its platform', async t => {
    const first = connectionOf(await create(hub))
    const market = connectionOf(await hub.call('POST', '/connections', {
      body: { name: 'Marketplace', platformType: 'mktb', credentials: 'k' }
    }))

    const shared = await create(hub, { credentials: undefined, credentialsRef: first.credentialsRef })
    const both = await create(hub, { credentialsRef: first.credentialsRef })
    const none = await create(hub, { credentials: undefined })
    const foreign = await create(hub, { credentials: undefined, credentialsRef: market.credentialsRef })
    const missing = await create(hub, { credentials: undefined, credentialsRef: 'db:shopa_1_2' })

    t.equal(shared.status, 201)
    t.equal(connectionOf(shared).credentialsRef, first.credentialsRef)
    for (const answer of [both, none]) {
      t.equal(answer.status, 400)
      t.strictSame(pointersOf(answer), ['/credentials'])
    }
    t.match(problemOf(foreign), {
      status: 400,
      code: 'LNK_CONNECTION_INVALID',
      errors: [{ pointer: '/credentialsRef' }]
    })
    t.match(problemOf(missing), { status: 400, code: 'LNK_CREDENTIALS_NOT_FOUND' })
  })

  t.test('a patch merges config deeply, null removes, and the result is checked whole', async t => {
    const { id } = connectionOf(await create(hub, {
      config: { shopId: '1', imageType: 'home', note: { a: 1, b: { c: 2 } }, list: [1, 2] }
    }))
    const patched = await hub.call('PATCH', `/connections/${id}`, {
      body: { name: 'Renamed', config: { imageType: null, note: { b: { d: 3 } }, list: [3] } },
      headers: { 'content-type': 'application/merge-patch+json' }
    })
    const broken = await hub.call('PATCH', `/connections/${id}`, {
      body: { name: 'Not this', config: { shopId: 7, baseUrl: 'ftp://shop' } }
    })
    const read = await hub.call('GET', `/connections/${id}`)

    t.equal(patched.status, 200)
    t.match(connectionOf(patched), {
      name: 'Renamed',
      config: { shopId: '1', note: { a: 1, b: { c: 2, d: 3 } }, list: [3] }
    })
    t.notOk('imageType' in connectionOf(patched).config)
    t.strictSame(connectionOf(patched).warnings?.map(({ pointer }) => pointer).toSorted(), [
      '/config/list',
      '/config/note'
    ])
    t.equal(broken.status, 400)
    t.strictSame(pointersOf(broken).toSorted(), ['/config/baseUrl', '/config/shopId'])
    t.strictSame(connectionOf(read).config, connectionOf(patched).config, 'the refused change left nothing')
    t.equal(connectionOf(read).name, 'Renamed')
  })

  t.test("the hub's own settings are merged, audited and refused where they do not fit", async t => {
    const created = await create(hub, { settings: { orderPollDays: 30, confirmStockJump: 500 } })
    const { id } = connectionOf(created)
    const patch = (settings: object) => hub.call('PATCH', `/connections/${id}`, { body: { settings } })
    const changed = await patch({ orderPollDays: null, confirmStockJump: 200 })

    t.match(created.json, { settings: { orderPollDays: 30, confirmStockJump: 500 } })
    t.strictSame((changed.json as { settings: object }).settings, { confirmStockJump: 200 })
    t.strictSame(((await hub.call('GET', `/connections/${id}`)).json as { settings: object }).settings, {
      confirmStockJump: 200
    })
    const [entry] = (await hub.call('GET', `/audit?connectionId=${id}&limit=1`)).json as { changes: unknown }[]
    t.strictSame(entry?.changes, [
      { pointer: '/settings/confirmStockJump', from: 500, to: 200 },
      { pointer: '/settings/orderPollDays', from: 30 }
    ])
    const misfit = await patch({ sellsInactive: true })
    t.match([misfit.status, problemOf(misfit).code], [400, 'LNK_CONNECTION_INVALID'])
    t.strictSame(pointersOf(misfit), ['/settings/sellsInactive'])
    t.match(problemOf(misfit).detail, /OfferManager/)
    t.strictSame([...new Set(pointersOf(await patch({ orderPollDays: 0 })))], ['/settings/orderPollDays'])
    t.match((await patch({ shippedWithin: 1 })).json, { detail: /shippedWithin/ })
    t.equal((await create(hub, { settings: { shipsWithin: 1 } })).status, 400)
  })

  t.test('a patch of capabilities, adapter and status', async t => {
    const { id } = connectionOf(await create(hub))
    const narrowed = await hub.call('PATCH', `/connections/${id}`, {
      body: { capabilities: ['ProductMaster'], adapterVersion: 'latest', status: 'error' }
    })
    const foreign = await hub.call('PATCH', `/connections/${id}`, { body: { adapterKey: 'mktb.shopapi.v1' } })
    const missing = await hub.call('PATCH', `/connections/${id}`, { body: { adapterVersion: '^7.0.0' } })

    t.match(connectionOf(narrowed), { capabilities: ['ProductMaster'], adapterVersion: 'latest', status: 'error' })
    t.match(problemOf(foreign), { status: 400, errors: [{ pointer: '/adapterKey' }] })
    t.match(problemOf(missing), { status: 400, errors: [{ pointer: '/adapterVersion' }] })
  })

  t.test('disabling and enabling answer the connection, and again the same one unchanged', async t => {
    const { id } = connectionOf(await create(hub))
    const first = await hub.call('PATCH', `/connections/${id}/disable`)
    const again = await hub.call('PATCH', `/connections/${id}/disable`)
    const enabled = await hub.call('PATCH', `/connections/${id}/enable`)
    const twice = await hub.call('PATCH', `/connections/${id}/enable`)

    t.equal(first.status, 200)
    t.equal(connectionOf(first).status, 'disabled')
    t.strictSame(again.json, first.json)
    t.equal(again.headers.etag, first.headers.etag)
    t.equal(connectionOf(enabled).status, 'active')
    t.strictSame(twice.json, enabled.json)
  })

  t.test('enabling leaves a connection in error alone', async t => {
    const { id } = connectionOf(await create(hub, { status: 'error' }))
    const enabled = await hub.call('PATCH', `/connections/${id}/enable`)

    t.equal(connectionOf(enabled).status, 'error')
  })

  t.test('a change that names an older version is refused, one without a version wins', async t => {
    const { id } = connectionOf(await create(hub))
    const changes = [
      ['PATCH', `/connections/${id}`, { name: 'Stale' }],
      ['PATCH', `/connections/${id}/disable`, undefined],
      ['PATCH', `/connections/${id}/enable`, undefined],
      ['PUT', `/connections/${id}/credentials?test=false`, {
        credentials: { apiUrl: hub.shop.apiUrl, apiKey: 'stale' }
      }]
    ] as const

    const current = await hub.call('PATCH', `/connections/${id}`, {
      headers: { 'if-match': '"1"' },
      body: { name: 'Second' }
    })
    t.equal(current.status, 200)
    t.equal(current.headers.etag, '"2"')
    for (const [method, path, body] of changes) {
      const stale = await hub.call(method, path, {
        headers: { 'if-match': '"1"' },
        ...(body === undefined ? {} : { body })
      })
      t.match(problemOf(stale), { status: 412, code: 'LNK_PRECONDITION_FAILED' }, `${method} ${path}`)
    }
    t.equal(
      (await hub.call('PATCH', `/connections/${id}`, { headers: { 'if-match': 'second' }, body: { name: 'Bad' } }))
        .status,
      400
    )
    t.equal(
      (await hub.call('PATCH', `/connections/${id}`, { headers: { 'if-match': '*' }, body: { name: 'Any' } })).status,
      200
    )
    t.match(connectionOf(await hub.call('GET', `/connections/${id}`)), { name: 'Any', status: 'active' })
  })

  t.test('simultaneous changes of one connection all take effect, but only one that names the version', async t => {
    const { id } = connectionOf(await create(hub))
    const names = Array.from({ length: 10 }, (_, index) => `member${index}`)
    const merged = await Promise
      .all(names.map(name => hub.call('PATCH', `/connections/${id}`, { body: { config: { [name]: true } } })))
    const { headers, json } = await hub.call('GET', `/connections/${id}`)
    const guarded = await Promise
      .all(names.map(name =>
        hub.call('PATCH', `/connections/${id}`, { headers: { 'if-match': String(headers.etag) }, body: { name } })
      ))

    t.strictSame(merged.map(({ status }) => status), names.map(() => 200))
    t.strictSame(Object.keys((json as Connection).config).toSorted(), names)
    t.strictSame(guarded.map(({ status }) => status).toSorted(), [200, ...names.slice(1).map(() => 412)])
  })
})

t.test('the list of connections', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const ids: string[] = []
  for (
    const [platformType, status] of [['shopa', 'active'], ['mktb', 'active'], ['shopa', 'disabled'], [
      'mktb',
      'disabled'
    ], ['shopa', 'error']] as const
  ) {
    ids.push(await hub.connect(platformType, { status }))
  }
  const list = async (query: string): Promise<string[]> =>
    ((await hub.call('GET', `/connections${query}`)).json as Connection[]).map(({ id }) => ids.indexOf(id)).map(String)

  t.test('is in the order of creation and filtered by platform, by status and by both', async t => {
    t.strictSame(await list(''), ['0', '1', '2', '3', '4'])
    t.strictSame(await list('?platformType=shopa'), ['0', '2', '4'])
    t.strictSame(await list('?status=disabled'), ['2', '3'])
    t.strictSame(await list('?platformType=mktb&status=disabled'), ['3'])
    t.strictSame(await list('?platformType=mktb&status=error'), [])
    t.strictSame(await list('?platformType=nobody'), [])
  })

  t.test('comes in pages whose links lead to the end, filters kept', async t => {
    const pages: string[][] = []
    for (let path: string | undefined = '/v1/connections?platformType=shopa&limit=1'; path !== undefined;) {
      const { json, headers } = await hub.call('GET', path)
      pages.push((json as Connection[]).map(({ id }) => String(ids.indexOf(id))))
      const link = String(headers.link ?? '')
      if (link !== '') t.match(link, /^<\/v1\/connections\?platformType=shopa&limit=1&cursor=[\w-]+>; rel="next"$/)
      path = /^<([^>]+)>/.exec(link)?.[1]
    }

    t.strictSame(pages.flat(), ['0', '2', '4'])
  })
})
