import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { installWebhooks } from '../../src/webhooks/install.ts'
import { openFakeShop, type Reply } from '../orders/fake-shop.ts'

const installation = {
  callbackUrl: 'https://hub.test/base/webhooks/shopa/connection-7',
  secret: 'new-secret-0123456789abcdef'
}
const rows = (secret: string): Reply => [200, {
  configurations: [
    { id: 1, name: 'LINKER_BASE_URL', value: 'https://hub.test/base' },
    { id: 2, name: 'LINKER_WEBHOOK_SECRET', value: secret },
    { id: 3, name: 'LINKER_CONNECTION_ID', value: 'connection-7' }
  ]
}]
const written: Record<string, Reply> = {
  'POST configurations': [201, { configuration: { id: 3 } }],
  'PUT configurations': [200, { configuration: { id: 1 } }],
  'POST ping': [200, { ok: true }]
}

t.test('existing settings of the module are changed, missing ones added, and then the module pings', async t => {
  let reads = 0
  const answers = {
    ...written,
    'GET configurations': () =>
      reads++ === 0
        ? [200, { configurations: [{ id: 2, name: 'LINKER_WEBHOOK_SECRET', value: 'old' }] }] as Reply
        : rows(installation.secret)
  }
  const { client, context, requests, bodies } = openFakeShop(t, { answers })

  t.same(await installWebhooks(client, installation, context), {})

  t.same(requests(), [
    'GET configurations',
    'POST configurations',
    'POST configurations',
    'PUT configurations/2',
    'GET configurations',
    'POST ping'
  ])
  t.same(bodies('POST configurations'), [
    { name: 'LINKER_BASE_URL', value: 'https://hub.test/base' },
    { name: 'LINKER_CONNECTION_ID', value: 'connection-7' }
  ])
  t.same(bodies('PUT configurations'), [{ id: '2', name: 'LINKER_WEBHOOK_SECRET', value: installation.secret }])
})

t.test('settings that the shop did not keep and a failed ping are warnings', async t => {
  const { client, context } = openFakeShop(t, {
    answers: { ...written, 'GET configurations': rows('old'), 'POST ping': [502, { error: 'HTTP 401' }] }
  })

  t.match(await installWebhooks(client, installation, context), {
    warning: /^state-update-failed; ping-not-received: .*HTTP 401.*curl\.cainfo/
  })
})

t.test('a missing module says so, without advice about certificates', async t => {
  const { client, context } = openFakeShop(t, {
    answers: { ...written, 'GET configurations': rows(installation.secret), 'POST ping': [404, {}] }
  })
  const { warning = '' } = await installWebhooks(client, installation, context)

  t.match(warning, /^ping-not-received: .*config\.moduleName/)
  t.notMatch(warning, /curl/)
})

t.test('a key that may not write the settings is a configuration error, without a ping', async t => {
  const { client, context, requests } = openFakeShop(t, {
    answers: {
      ...written,
      'GET configurations': rows('old'),
      'PUT configurations': [405, { errors: [{ code: 25, message: 'no' }] }]
    }
  })

  await t.rejects(installWebhooks(client, installation, context), {
    code: AdapterErrorCode.configuration,
    message: /PUT configurations/
  })
  t.notOk(requests().includes('POST ping'))
})
