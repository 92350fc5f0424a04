import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { describeAnswer, sendEvent, signedAddress, writeEvent } from '../../src/cli/send-event.ts'

const accepted = { status: 202, deliveryId: 'some-id', ignored: undefined, text: '', form: undefined }

t.test('an accepted event is told by its status and id', async t => {
  t.equal(describeAnswer(accepted), '202 some-id')
})

t.test('an ignored event is told with the reason and the command that shows its delivery', async t => {
  t.strictSame(describeAnswer({ ...accepted, ignored: 'unknown-event-type\u009b' }).split('\n'), [
    '202 some-id',
    'The hub accepted the event but ignored it (unknown-event-type\\u009b): no job starts',
    '  linker deliveries show some-id'
  ])
})

t.test('no command shows an event that the adapter does not want, because the hub keeps nothing of it', async t => {
  t.notMatch(describeAnswer({ ...accepted, ignored: 'unwanted-event-type' }), /deliveries show/)
})

t.test('a refused event is told with the answer of the hub', async t => {
  t.equal(describeAnswer({ ...accepted, status: 401, text: '{"code":"LNK"}' }), '401 some-id\n{"code":"LNK"}')
})

t.test('an event is sent in the form of its platform, and the answer says so', async t => {
  const event = {
    eventId: 'e-1',
    eventType: 'product.saved',
    object: { type: 'product', externalId: '27' },
    payload: undefined,
    occurredAt: new Date(0)
  }
  const source = {
    topic: { header: 'X-Topic' },
    eventTypes: { 'articles/update': 'product.saved' },
    externalId: { body: '/id' }
  }
  const webhooks = { scheme: 'hmac', canInstall: false, source } as const
  const own = { schemaVersion: 1, eventId: 'e-1', object: event.object }
  const { written, form } = writeEvent(webhooks, event)
  const other = writeEvent(webhooks, { ...event, eventType: 'stock.changed' })
  const plain = writeEvent(undefined, event)

  t.strictSame([written.headers, JSON.parse(written.body)], [{ 'x-topic': 'articles/update' }, { id: '27' }])
  t.match(describeAnswer({ ...accepted, form }), /topic articles\/update$/)
  t.match(JSON.parse(other.written.body), { ...own, eventType: 'stock.changed' })
  t.match(other.form, /own form.*stock\.changed/)
  t.match(JSON.parse(plain.written.body), own)
  t.match(plain.form, /no adapter of this project/)
  t.equal(writeEvent({ scheme: 'hmac', canInstall: false }, event).form, undefined, 'that is the form of its sender')
})

t.test('the places of an event and its proof go out together', async t => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(202, { 'x-linker-delivery-id': 'some-id' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())

  const answer = await sendEvent({
    hub: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: { id: '1', platformType: 'feed' },
    secret: 'a b',
    event: { eventId: 'e/1', eventType: 'a/b', object: { type: 'a', externalId: 'ż' }, payload: undefined },
    webhooks: {
      scheme: 'hmac',
      canInstall: false,
      verify: { kind: 'query', parameter: 'token' },
      source: { topic: { query: 'topic' }, externalId: { header: 'X-Id' }, eventId: { query: 'id' } }
    }
  })

  t.match(answer, { status: 202, deliveryId: 'some-id', isAccepted: true })
  t.equal(requests[0]?.url, '/webhooks/feed/1?id=e%2F1&topic=a%2Fb&token=a+b')
  t.equal(Buffer.from(String(requests[0]?.headers['x-id']), 'latin1').toString(), 'ż')
})

t.test('a platform that signs the address signs the public one of the connection', async t => {
  const address = 'http://127.0.0.1:3000/webhooks/feed/1'
  const target = { id: '1', platformType: 'feed' }

  t.equal(
    signedAddress({ ...target, config: { callbackBaseUrl: 'https://hub.example/in/' } }, address),
    'https://hub.example/in/webhooks/feed/1'
  )
  t.equal(signedAddress({ ...target, config: {} }, address), address)
  t.equal(signedAddress(target, address), address, 'a connection that the hub was not asked about')
})
