import t from 'tap'
import { createApi } from '../support/api.ts'
import { countRows } from '../support/count-rows.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

/** An adapter whose connection test uses everything that can store something. */
const keeping: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-keeping-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'keeping.api.v1',
      platformType: 'keeping',
      displayName: 'Keeping',
      capabilities: ['InventoryMaster'],
      permissions: { http: ['${config.url}'], jobs: ['master.product.syncByExternalId'] }
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'

    const text = { type: 'string' }

    async function test (context) {
      const { config, kv, cursor, jobs, locks, oauth, http } = context
      await kv.set('seen', 1)
      const seen = await kv.list({ prefix: 's' })
      cursor.set('feed', '1')
      const present = await cursor.get('feed')
      await jobs.enqueue('master.product.syncByExternalId', { externalId: '1' }, { key: 'a' })
      const locked = await locks.run('one', async () => 'locked')
      const token = await oauth.accessToken(async stored => ({
        ...stored,
        accessToken: 'token-renewed',
        expiresAt: '2100-01-01T00:00:00.000Z'
      }))
      if (config.asks !== undefined) await http({ baseUrl: config.asks }).json({ method: 'GET', path: 'me' })
      return { message: JSON.stringify([seen.length, present, locked, token, context.connection.id]) }
    }

    export default defineAdapter({
      config: { type: 'object', properties: { url: text, asks: text }, additionalProperties: false },
      credentials: {
        type: 'object',
        properties: { accessToken: { ...text, secret: true }, expiresAt: text },
        required: ['accessToken', 'expiresAt'],
        additionalProperties: false
      },
      connect: context => context,
      test,
      account: async () => undefined,
      capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) }
    })`
}

interface Judged {
  valid: boolean
  errors: { pointer: string, code: string }[]
  warnings: { pointer: string, code: string }[]
  test?: { success: boolean, message: string }
}

const credentials = { accessToken: 'token-given', expiresAt: '2020-01-01T00:00:00.000Z' }
const address = '/adapters/keeping.api.v1/config/validate'

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: settings are tested at the platform before they are stored`, async t => {
    const hub = await buildTestHub(t, {
      mode,
      packages: [keeping],
      config: {
        adapters: [
          { use: '@acme/adapter-keeping-v1', isolation: mode === 'embedded' ? 'inline' : 'worker' },
          '@linker/adapter-mktb-v1'
        ]
      }
    })
    const ofMarket = '/adapters/mktb.shopapi.v1/config/validate?test=true'
    const judge = async (path: string, body: object): Promise<Judged> =>
      (await hub.call('POST', path, { body })).json as Judged
    const rows = () => countRows(hub.database())

    t.test('the adapter finds what it keeps; afterwards the hub has none of it', async t => {
      const before = await rows()
      const { test, ...judged } = await judge(`${address}?test=true`, { config: {}, credentials })
      const [seen, cursor, locked, token, connectionId] = JSON.parse(test?.message ?? '') as unknown[]

      t.match(judged, { valid: true, errors: { length: 0 }, warnings: [{ pointer: '/credentials', code: 'renewed' }] })
      t.strictSame([seen, cursor, locked, token], [1, '1', 'locked', '[redacted]'])
      t.equal((await hub.call('GET', `/connections/${String(connectionId)}`)).status, 404)
      t.strictSame(await rows(), before)
    })

    t.test('a real platform accepts and refuses credentials', async t => {
      const before = await rows()
      const [right, wrong] = [
        await judge(ofMarket, { config: {}, credentials: hub.keys.market }),
        await judge(ofMarket, { config: {}, credentials: 'wrong-key-of-nobody' })
      ]

      t.match(right, { valid: true, errors: { length: 0 }, test: { success: true } })
      t.match(wrong, { valid: true, errors: { length: 0 }, test: { success: false, status: 401 } })
      t.notMatch(JSON.stringify([right, wrong]), /wrong-key-of-nobody/)
      t.notMatch(JSON.stringify(right), hub.keys.market)
      t.strictSame(await rows(), before)
    })

    t.test('settings that are not valid are not sent anywhere', async t => {
      hub.market.requests.clear()
      const elsewhere = { baseUrl: hub.shop.url.replace('127.0.0.1', 'localhost') }
      const found = [
        await judge(ofMarket, { config: { environment: 'moon' }, credentials: 'a-key' }),
        await judge(ofMarket, { config: {} }),
        await judge(ofMarket, { config: elsewhere, credentials: 'a-key' })
      ]

      t.strictSame(found.map(({ valid, errors, test }) => [valid, errors.map(({ pointer }) => pointer), test]), [
        [false, ['/config/environment'], undefined],
        [false, ['/credentials'], undefined],
        [false, ['/config/baseUrl'], undefined]
      ])
      t.equal(hub.market.requests.entries.length, 0)
    })

    t.test('the adapter reaches only the servers that its permissions and the config allow', async t => {
      const asks = hub.market.baseUrl
      const refused = await judge(`${address}?test=true`, { config: { asks }, credentials })
      const allowed = await judge(`${address}?test=true`, { config: { asks, url: asks }, credentials })

      t.match(refused.test, { success: false, message: /does not permit requests to http/ })
      t.match(allowed.test, { success: false, status: 401 }, 'the request was sent')
    })

    t.test('a test needs the scope admin; a check does not, and calls nobody', async t => {
      const made = await hub.call('POST', '/tokens', { body: { name: 'ada', scope: 'operate' } })
      const ada = createApi(hub.url, (made.json as { token: string }).token)
      hub.market.requests.clear()
      const body = { config: {}, credentials: hub.keys.market }
      const tested = await ada('POST', ofMarket, { body })
      const checked = await ada('POST', ofMarket.replace('true', 'false'), { body })

      t.match(problemOf(tested), { status: 403, code: 'LNK_FORBIDDEN' })
      t.strictSame(checked.json, { valid: true, errors: [], warnings: [] })
      t.equal(hub.market.requests.entries.length, 0)
      t.equal((await hub.call('POST', ofMarket.replace('true', '1'), { body })).status, 400)
    })
  })
}
