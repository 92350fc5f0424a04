import t from 'tap'
import { describeAnswer } from '../../src/cli/webhook.ts'

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
