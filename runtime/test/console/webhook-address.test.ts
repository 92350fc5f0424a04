import t from 'tap'
import { webhookAddress } from '../../console/rules/webhook-address.ts'

t.test('the address of webhooks is below the public address of the hub', async t => {
  const connection = { id: 'c1', platformType: 'shopa', config: { callbackBaseUrl: 'https://hub.example/linker/' } }

  t.equal(webhookAddress(connection), 'https://hub.example/linker/webhooks/shopa/c1')
  t.equal(webhookAddress({ ...connection, config: {} }), undefined)
  t.equal(webhookAddress({ ...connection, config: { callbackBaseUrl: 'hub' } }), undefined)
})
