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
  hubName: 'hub.example',
  hub: 'https://hub.example',
  page: 'https://hub.example/console/',
  fresh: [],
  open: [],
  recovered: []
}
const many = Array.from({ length: 120 }, (_, number) => item(`Item ${number}`))

t.test('the body names the lists and how many items are left out', async t => {
  const body = JSON.parse(bodyOf({ ...message, fresh: many, recovered: [item('gone')] })) as Record<string, unknown[]>

  t.match(body, {
    schemaVersion: 1,
    eventId: 'm1',
    eventType: 'attention.changed',
    hub: message.hub,
    page: message.page
  })
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
  const said = (more: Partial<Message>) => subjectOf({ ...message, ...more }).replace('[Linker hub.example] ', '')
  t.equal(subjectOf({ ...message, fresh: [item('a')] }), '[Linker hub.example] a')
  t.equal(said({ fresh: many, open: [item('a')] }), 'Item 0 and 119 more, 1 still open')
  t.equal(said({ fresh: [item('a')], recovered: [item('b')] }), 'a, 1 recovered')
  t.equal(said({ open: [item('a'), item('b')] }), 'still open: a and 1 more')
  t.equal(said({ recovered: [item('a')] }), 'No longer: a')
  t.equal(said({ recovered: [item('a'), item('b')] }), 'No longer: a and 1 more')
  t.equal(said({ type: 'attention.test' }), 'Test of the alerts')
})

t.test('the text lists what is new with its cause, what is gone by its title', async t => {
  const text = textOf({ ...message, fresh: [item('Bad')], recovered: [item('Bad as well')] })

  t.match(
    text,
    /^Told by the hub at https:\/\/hub\.example at \S+ https:\/\/hub\.example\/console\/ shows what is open/
  )
  const bare = textOf({ ...message, hubName: 'box', hub: undefined, page: undefined, fresh: [item('Bad')] })
  t.match(bare, /^Told by the hub on box at \S+ `linker attention` shows what is open/)
  t.match(text, 'error: Bad, since 2026-11-26T11:00:00.000Z\nA cause; an action.')
  t.match(text, 'RECOVERED\n\nNo longer: Bad as well')
  t.match(textOf({ ...message, fresh: many }), 'and 70 others')
})
