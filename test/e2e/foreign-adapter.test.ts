import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

interface Connection {
  id: string
  config: Record<string, unknown>
  adapterVersion: string
  credentialsRef: string | null
  warnings?: { pointer: string }[]
}

const canary = `feed-${randomBytes(12).toString('hex')}`

/**
 * A feed without credentials whose address has a key in it. The external id in a call tells the
 * feed which stock to answer.
 */
const feed = (name: string, version: string): ForeignPackage => ({
  manifest: feedshopManifest({ name, version, capabilities: ['InventoryMaster', 'ProductMaster'] }),
  source: `
    import { defineAdapter } from '@linker/sdk'
    const level = quantity => ({ productExternalId: 'p', variantExternalId: 'v', quantity })
    export default defineAdapter({
      config: {
        type: 'object',
        required: ['feedUrl'],
        properties: { feedUrl: { type: 'string' }, feedKey: { type: 'string', secret: true } }
      },
      credentials: { type: 'null' },
      connect: context => context.config,
      account: async () => undefined,
      capabilities: {
        InventoryMaster: config => ({
          async getStock (externalId) {
            if (externalId === 'throws') throw new Error('the feed of ' + config.feedKey + ' broke')
            return externalId.split(',').map(Number).map(level)
          },
          async listStock () { return { items: [] } }
        }),
        ProductMaster: () => ({
          async getProduct (externalId) {
            const variants = [{ externalId: 'v', name: 'first' }, { externalId: 'v', name: 'second' }]
            return { externalId, name: 'Mug\\u0000 \\ud800', isActive: true, variants }
          },
          async listProducts () { return { items: [] } }
        })
      }
    })`
})

t.test('an adapter of a third party', async t => {
  const packages = [feed('@acme/adapter-feedshop-v1', '1.0.0'), feed('@acme/adapter-feedshop-v1-next', '1.1.0-rc.1')]
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages,
    config: { adapters: packages.map(({ manifest }) => manifest.name) }
  })
  const config = { feedUrl: 'https://feed.example', feedKey: canary }
  const create = (more: object = {}) =>
    hub.call('POST', '/connections', { body: { name: 'Feed', platformType: 'feedshop', config, ...more } })
  const sync = async (
    connectionId: string,
    externalId: string,
    jobType = 'master.inventory.syncByExternalId'
  ): Promise<Job> => {
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId, payload: { externalId } },
      headers: { 'x-request-id': randomUUID() }
    })
    return hub.endOf((json as { jobId: string }).jobId)
  }

  t.test('that needs no credentials gets none, and refuses some', async t => {
    const created = await create()
    const refused = await create({ credentials: 'k' })

    t.equal(created.status, 201)
    t.equal((created.json as Connection).credentialsRef, null)
    t.match(problemOf(refused), { status: 400, detail: /not used by feedshop\.api\.v1/ })
    t.strictSame(pointersOf(refused), ['/credentials'])
  })

  t.test('keeps the secret members of config to itself, through every change', async t => {
    const created = await create()
    const { id } = created.json as Connection
    const patched = await hub.call('PATCH', `/connections/${id}`, { body: { config: { note: 1 } } })
    const answers = [
      created,
      patched,
      await hub.call('GET', `/connections/${id}`),
      await hub.call('GET', '/connections'),
      await hub.call('PATCH', `/connections/${id}/disable`)
    ]
    const [row] = await hub.database().query<{ config: object }>('select config from connections where id = $1', [id])
    await hub.call('PATCH', `/connections/${id}`, { body: { status: 'active' } })
    const failed = await sync(id, 'throws')

    t.strictSame((patched.json as Connection).config, { feedUrl: config.feedUrl, note: 1 })
    t.notOk(answers.some(({ text }) => text.includes(canary)))
    t.match(failed.problem, { message: /the feed of .* broke/ })
    t.notOk(JSON.stringify(failed).includes(canary), 'nor in what the adapter says')
    t.notOk(hub.log.some(line => line.includes(canary)))
    t.strictSame({ ...row?.config }, { ...config, note: 1 }, 'it is still there')
  })

  t.test('without a connection test of its own is tested by its schemas', async t => {
    const { id } = (await create()).json as Connection

    t.match((await hub.call('POST', `/connections/${id}/test`)).json, {
      success: true,
      checks: [{ name: 'schema', ok: true }]
    })
  })

  t.test('is pinned to the exact version that was the newest stable one, or to the one asked for', async t => {
    const versions = await Promise
      .all(['latest', '^1.0.0', '1.1.0-rc.1', undefined].map(async adapterVersion =>
        ((await create({ adapterVersion })).json as Connection).adapterVersion
      ))

    t.strictSame(versions, ['1.0.0', '1.0.0', '1.1.0-rc.1', '1.0.0'])
    t.match((await hub.call('GET', '/adapters')).json, [{
      adapterKey: 'feedshop.api.v1',
      version: '1.0.0',
      state: 'ready'
    }, { adapterKey: 'feedshop.api.v1', version: '1.1.0-rc.1', state: 'ready' }])
  })

  t.test('that names a variant twice: the last quantity counts', async t => {
    const { id } = (await create()).json as Connection
    const job = await sync(id, '4,5,6')
    const rows = await hub.database().query<{ quantity: number }>(
      'select quantity from stock join variants on variants.id = variant_id join products on products.id = ' +
        'product_id where connection_id = $1',
      [id]
    )

    t.match(job, { status: 'succeeded' })
    t.strictSame(rows.map(({ quantity }) => quantity), [6])
  })

  t.test('that describes a product twice, in characters that cannot be stored, loses only those', async t => {
    const { id } = (await create()).json as Connection
    const job = await sync(id, '7', 'master.product.syncByExternalId')

    t.match(job, { status: 'succeeded', attempts: { length: 1 } })
    t.match((await hub.call('GET', `/products?connectionId=${id}`)).json, [{
      externalId: '7',
      name: 'Mug\uFFFD \uFFFD',
      variants: [{ externalId: 'v', name: 'second' }]
    }])
  })

  t.test('that fills the catalog fills pages which lead to the end', async t => {
    const { id } = (await create()).json as Connection
    const externalIds = ['a', 'b', 'c', 'd', 'e']
    for (const externalId of externalIds) await sync(id, externalId, 'master.product.syncByExternalId')
    const pages: string[][] = []
    for (
      let path: string | undefined = `/products?connectionId=${id}&limit=2`;
      path !== undefined && pages.length < 10;
    ) {
      const { json, headers } = await hub.call('GET', path)
      pages.push((json as { externalId: string }[]).map(({ externalId }) => externalId))
      path = /^<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }

    t.strictSame(pages, [['a', 'b'], ['c', 'd'], ['e']])
  })

  t.test(
    'that answers a quantity beyond all stock, or something else than its contract, ends the job dead with the ' +
      'reason',
    async t => {
      const { id } = (await create()).json as Connection

      t.match(await sync(id, '3000000000'), {
        status: 'dead',
        attempts: { length: 1 },
        problem: { code: 'LNK_ADAPTER_REJECTED', message: /3000000000/ }
      })
      t.match(await sync(id, '1.5'), {
        status: 'dead',
        attempts: { length: 1 },
        problem: { code: 'LNK_ADAPTER_REJECTED', message: /InventoryMaster\.getStock/ }
      })
    }
  )
})
