import { verifyWebhook } from '@linker/sdk'
import t from 'tap'
import { openSender, secret, type ReceivedWebhook } from '../support.ts'

const event = { eventType: 'order.created', objectType: 'order', externalId: '5' }

function isGenuine (webhook: ReceivedWebhook | undefined): boolean {
  return verifyWebhook(
    secret,
    String(webhook?.headers['x-linker-timestamp']),
    webhook?.body ?? 'nothing',
    String(webhook?.headers['x-linker-signature'])
  )
}

/** Returns the payload as it arrives, or undefined when the body has none. */
async function payloadOnTheWire (t: Parameters<typeof openSender>[0], payload: object) {
  const { hub, shop } = await openSender(t)
  shop.sender.enqueue({ ...event, payload })
  await shop.sender.deliver()
  return /"payload":(.*)\}$/s.exec(hub.received[0]?.body.toString() ?? '')?.[1]
}

t.test('slashes and everything outside ASCII are escaped in lower-case hex', async t => {
  t.equal(
    await payloadOnTheWire(t, { path: 'a/b', name: 'Żółć ÿ', emoji: '😀' }),
    '{"path":"a\\/b","name":"\\u017b\\u00f3\\u0142\\u0107 \\u00ff","emoji":"\\ud83d\\ude00"}'
  )
  t.equal(await payloadOnTheWire(t, { text: '"\\\n\t\u0001\u007f' }), '{"text":"\\"\\\\\\n\\t\\u0001\u007f"}')
})

t.test('an empty object becomes an empty array, and keys that count from 0 make a list', async t => {
  t.equal(await payloadOnTheWire(t, {}), '[]')
  t.equal(await payloadOnTheWire(t, { outer: {} }), '{"outer":[]}')
  t.equal(await payloadOnTheWire(t, { 0: 'a', 1: 'b' }), '["a","b"]')
  t.equal(await payloadOnTheWire(t, { 1: 'a' }), '{"1":"a"}')
  t.equal(await payloadOnTheWire(t, { list: [null, true, 1.5] }), '{"list":[null,true,1.5]}')
})

t.test('the signature covers the escaped bytes', async t => {
  const { hub, shop } = await openSender(t)
  shop.sender.enqueue({ eventType: 'product.saved', objectType: 'product', externalId: 'Kubek/ż' })

  await shop.sender.deliver()

  t.match(hub.received[0]?.body.toString(), '"externalId":"Kubek\\/\\u017c"')
  t.ok(isGenuine(hub.received[0]))
})

t.test('a body with text that is not valid Unicode is empty, signed and retried', async t => {
  const { hub, shop } = await openSender(t, () => 400)
  shop.sender.enqueue({ ...event, externalId: '\\\ud83d' })

  const [delivery] = await shop.sender.deliver()

  t.match(delivery, { statusCode: 400, status: 'pending' })
  t.equal(hub.received[0]?.body.length, 0)
  t.ok(isGenuine(hub.received[0]))
})

t.test('text that looks like the escape of invalid Unicode is ordinary text', async t => {
  t.equal(await payloadOnTheWire(t, { text: '\\ud83d' }), '{"text":"\\\\ud83d"}')
})

t.test('a payload with text that is not valid Unicode is left out', async t => {
  t.equal(await payloadOnTheWire(t, { text: '\ud83d' }), undefined)
})
