import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import adapter from '../../src/index.ts'
import { installHooks } from '../../src/webhooks/install.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect } = createMarketplace(t)

const callbackUrl = 'https://hub.test/webhooks/mktb/123e4567-e89b-42d3-a456-426614174000'
const secret = 'webhook-secret-0123456789'

t.test('both order hooks point to the hub, and each is named in the path and in the body', async t => {
  for (const hookName of ['orderCreated', 'orderStatusChanged']) {
    upstream().put(`/hooks/${hookName}`, { hookName, url: callbackUrl, accessToken: secret }).reply(201)
  }

  await t.resolves(installHooks(connect().client, { callbackUrl, secret }))
})

t.test('a refused hook ends the installation', async t => {
  upstream().put('/hooks/orderCreated').reply(201).put('/hooks/orderStatusChanged').reply(400, {
    message: 'Validation error'
  })

  await t.rejects(installHooks(connect().client, { callbackUrl, secret }), {
    code: AdapterErrorCode.rejected,
    message: /Validation error/
  })
})

t.test('an address or a secret that the marketplace cannot use is never sent', async t => {
  const wrong = [
    { callbackUrl: 'http://hub.test/webhooks/mktb/1', secret },
    { callbackUrl: 'http://localhost.hub.test/', secret },
    { callbackUrl: `${callbackUrl}${'a'.repeat(2_000)}`, secret },
    { callbackUrl, secret: 'a'.repeat(401) }
  ]

  for (const installation of wrong) {
    await t.rejects(installHooks(connect().client, installation), { code: AdapterErrorCode.configuration })
  }
})

t.test('a delivery carries a bearer token and the whole order; its status and time identify the event', async t => {
  t.match(adapter.webhooks, {
    scheme: 'bearer',
    install: installHooks,
    body: {
      eventType: 'order.changed',
      externalId: '/id',
      occurredAt: ['/updated', '/created']
    },
    events: { 'order.changed': 'marketplace.order.syncByExternalId' }
  })
})
