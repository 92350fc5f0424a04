import t from 'tap'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

interface AdapterView {
  adapterKey: string
  version: string
  features: Record<string, string[]>
  icon: string | null
  isDefault: boolean
  usedBy: number
}

t.test('an operator sees what an adapter can and needs, and tries settings before they are stored', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  await hub.connect('shopa')
  const adapters = (await hub.call('GET', '/adapters')).json as AdapterView[]
  t.match(adapters.find(({ adapterKey }) => adapterKey === 'shopa.webservice.v1'), { isDefault: true, usedBy: 1 })
  t.ok(adapters.find(({ adapterKey }) => adapterKey === 'shopa.webservice.v1')?.features.InventoryMaster
    ?.includes('getStock'))
  t.match(adapters.find(({ adapterKey }) => adapterKey === 'mktb.shopapi.v1'), { isDefault: true, usedBy: 0 })

  const { status, json } = await hub.call('GET', '/adapters/mktb.shopapi.v1/versions/latest/schema')
  t.equal(status, 200)
  t.match(json, {
    adapterKey: 'mktb.shopapi.v1',
    config: { type: 'object' },
    credentials: { properties: { apiKey: { secret: true } } }
  })
  t.match(await hub.call('GET', '/adapters/mktb.shopapi.v1/versions/9.9.9/schema'), {
    status: 404,
    json: { detail: /installed in version .*, not in version 9\.9\.9/ }
  })
  t.match(await hub.call('GET', '/adapters/nobody.api.v1/versions/latest/schema'), { status: 404 })

  const icon = await hub.call('GET', '/adapters/mktb.shopapi.v1/versions/latest/icon')
  t.match(icon, {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache'
    },
    text: /^<svg /
  })
  t.match(
    await hub.call('GET', String(adapters.find(({ adapterKey }) => adapterKey === 'mktb.shopapi.v1')?.icon), {
      headers: { 'if-none-match': String(icon.headers.etag) }
    }),
    { status: 304, headers: { etag: icon.headers.etag }, text: '' }
  )
  t.match(await hub.call('GET', '/adapters/mktb.shopapi.v1/versions/9.9.9/icon'), { status: 404 })
  t.match(await hub.call('GET', '/adapters/mktb.shopapi.v1/versions/latest/changelog'), {
    status: 404,
    json: { code: 'LNK_NOT_FOUND' }
  })

  const address = '/adapters/mktb.shopapi.v1/config/validate'
  t.strictSame(
    (await hub.call('POST', address, { body: { config: { environment: 'sandbox' }, credentials: 'a-key' } })).json,
    { valid: true, errors: [], warnings: [] }
  )
  t.match(
    (await hub.call('POST', address, { body: { config: { environment: 'moon', colour: 'red' }, credentials: {} } }))
      .json,
    {
      valid: false,
      errors: [{ pointer: '/config/environment' }, { pointer: '/credentials/apiKey', code: 'required' }],
      warnings: [{ pointer: '/config/colour' }]
    }
  )
  t.equal((await hub.call('POST', address, { body: { config: {}, more: 1 } })).status, 400)
  t.equal(
    (await hub.call('GET', '/connections')).json instanceof Array &&
      ((await hub.call('GET', '/connections')).json as unknown[]).length,
    1,
    'nothing was stored'
  )
})
