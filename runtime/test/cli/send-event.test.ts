import t from 'tap'
import { describeAnswer, signedAddress } from '../../src/cli/send-event.ts'

const accepted = { status: 202, deliveryId: 'some-id', ignored: undefined, text: '' }

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

t.test('a refused event is told with the answer of the hub', async t => {
  t.equal(describeAnswer({ ...accepted, status: 401, text: '{"code":"LNK"}' }), '401 some-id\n{"code":"LNK"}')
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
