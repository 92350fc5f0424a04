import t from 'tap'
import { bodyOf, subjectOf, textOf, type Message } from '../../src/alerts/message.ts'
import { newItem } from '../../src/attention/items/new-item.ts'

function item (title: string) {
  return newItem({
    kind: 'oversell',
    severity: 'error',
    since: '2026-11-26T11:00:00.000Z',
    title,
    detail: 'A cause; an action.',
    target: '/offers'
  })
}

const message: Message = {
  id: 'm1',
  type: 'attention.changed',
  at: new Date('2026-11-26T12:00:00.000Z'),
  hub: 'https://hub.example',
  fresh: [],
  open: [],
  recovered: []
}
const many = Array.from({ length: 120 }, (_, number) => item(`Item ${number}`))

t.test('the body names the lists and how many items are left out', async t => {
  const body = JSON.parse(bodyOf({ ...message, fresh: many, recovered: [item('gone')] })) as Record<string, unknown[]>

  t.match(body, { schemaVersion: 1, eventId: 'm1', eventType: 'attention.changed', hub: 'https://hub.example' })
  t.strictSame([body.new?.length, body.open?.length, body.recovered?.length, body.omitted], [100, 0, 1, 20])
})

t.test('an item that is gone asks for no action', async t => {
  const { recovered } = JSON.parse(bodyOf({ ...message, recovered: [item('gone')] })) as { recovered: object[] }

  t.match(recovered, [{
    key: 'oversell',
    severity: 'info',
    title: 'No longer: gone',
    detail: 'This is over. No action is needed.'
  }])
})

t.test('the subject is one line that says what happened', async t => {
  t.equal(subjectOf({ ...message, fresh: [item('A thing\r\nBcc: x@y.example')] }).includes('\n'), false)
  t.equal(subjectOf({ ...message, fresh: many, open: [item('a')] }), '[Linker] 120 new, 1 still open')
  t.equal(subjectOf({ ...message, recovered: [item('a')] }), '[Linker] No longer: a')
  t.equal(subjectOf({ ...message, recovered: [item('a'), item('b')] }), '[Linker] 2 recovered')
  t.equal(subjectOf({ ...message, type: 'attention.test' }), '[Linker] Test of the alerts')
})

t.test('the text lists what is new with its cause, what is gone by its title', async t => {
  const text = textOf({ ...message, fresh: [item('Bad')], recovered: [item('Bad as well')] })

  t.match(text, 'Told by the hub at https://hub.example')
  t.match(text, 'error: Bad, since 2026-11-26T11:00:00.000Z\nA cause; an action.')
  t.match(text, 'RECOVERED\n\nNo longer: Bad as well')
  t.match(textOf({ ...message, fresh: many }), 'and 70 others')
})
