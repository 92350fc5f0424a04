import { HubJobType } from '@linker/sdk'
import t from 'tap'
import { deliveryRows, eventRows } from '../../../src/cli/docs/webhooks.ts'

const capabilities = { ProductMaster: [], InventoryMaster: [] }
const source = {
  topic: { header: 'x-topic' },
  eventTypes: { 'item.new': 'product.saved', 'item.changed': 'product.saved', ping: 'test.ping', cart: null },
  externalId: { body: '/id' }
}
const ofHub = { scheme: 'hmac', canInstall: false } as const

t.test('events are told with the topics of the platform, and the default ones with their jobs', async t => {
  const webhooks = { ...ofHub, source, events: { 'stock.changed': HubJobType.syncStock } }

  t.strictSame(eventRows('feed', { webhooks, capabilities, jobs: { 'feed.order.syncByExternalId': {} } }), [
    ['`stock.changed`', '', '`master.inventory.syncByExternalId`'],
    ['`product.saved`', '`item.new`, `item.changed`', '`master.product.syncByExternalId`'],
    ['`order.created`', '', '`feed.order.syncByExternalId`'],
    ['`order.status_changed`', '', '`feed.order.syncByExternalId`'],
    ['`test.ping`', '`ping`', 'none']
  ])
  t.strictSame(eventRows('feed', { webhooks: ofHub, capabilities: {}, jobs: {} }), [], 'nothing that the adapter lacks')
})

t.test('a delivery is told with its proof, its secret, the check of the address and the topics left out', async t => {
  const rows = deliveryRows('feed-shop', {
    ...ofHub,
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { header: 'X-Signature', pair: { name: 'v1' } },
      timestamp: { header: 'X-Time', unit: 's' },
      signed: ['timestamp', { text: '.' }, 'body']
    },
    source,
    challenges: [{
      method: 'GET',
      when: [{ query: 'mode', equals: 'subscribe' }, { query: 'challenge' }],
      token: { at: { query: 'token' }, config: 'verifyToken' },
      answer: { text: { query: 'challenge' } }
    }],
    accepted: { status: 200 }
  })
  const told = new Map(rows.map(([part = '', how]) => [part, how]))

  t.equal(told.get('proof'), 'HMAC-SHA256 as base64 in `X-Signature` (`v1`), and the time in `X-Time`')
  t.match(told.get('secret'), /`LINKER_WEBHOOK_SECRET__FEED_SHOP__ID`.*`LINKER_WEBHOOK_SECRET__FEED_SHOP`/)
  t.match(
    told.get('check of the address'),
    /^`GET` with query `mode` = `subscribe` and query `challenge`; .*`verifyToken`$/
  )
  t.equal(told.get('topics that nobody wants'), '`cart`')
  t.equal(told.get('answer to an accepted delivery'), '200')
})

t.test('each way of a proof is told', async t => {
  const proofOf = (declared: Partial<Parameters<typeof deliveryRows>[1]>) =>
    deliveryRows('feed', { ...ofHub, ...declared })[0]?.[1]

  t.match(proofOf({}), /`X-Linker-Signature`/i)
  t.match(proofOf({ scheme: 'bearer' }), /`Authorization: Bearer`/)
  t.match(proofOf({ verify: { kind: 'bearer', header: 'x-token', word: 'Feed' } }), /`x-token` after `Feed`/)
  t.match(proofOf({ verify: { kind: 'basic', user: 'feed' } }), /HTTP Basic.*`feed`/)
  t.match(proofOf({ verify: { kind: 'query', parameter: 'token' } }), /`token`/)
  t.match(proofOf({ verify: { kind: 'jwt', header: 'authorization' } }), /Web Token.*`authorization`/)
  t.match(proofOf({ verify: { kind: 'function' } }), /function/)
})

t.test('an adapter that installs its webhooks needs no secret of an operator', async t => {
  t.match(deliveryRows('feed', { ...ofHub, canInstall: true })[1], ['secret', /linker webhook install/])
})
