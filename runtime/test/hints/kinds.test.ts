import t from 'tap'
import { changedKinds, eventOf, hintKinds, type Sight } from '../../src/hints/kinds.ts'

const sight = (changes: Record<string, string>, attention = ''): Sight => ({
  changes: new Map(Object.entries(changes)),
  attention
})

t.test('each kind is told once, however many of its tables changed', async t => {
  const before = sight({ jobs: '1', orders: '1', order_lines: '1' })

  t.strictSame(changedKinds(before, before), [])
  t.strictSame(changedKinds(before, sight({ jobs: '1', orders: '2', order_lines: '2' })), ['orders'])
  t.strictSame(changedKinds(before, sight({ jobs: '2', orders: '1', order_lines: '1' }, 'a')), ['jobs', 'attention'])
  t.strictSame(changedKinds(sight({}), sight({ connections: '1' })), ['connections'])
})

t.test('a hint is an event of the stream', async t => {
  t.equal(eventOf('jobs'), 'event: changed\ndata: {"kind":"jobs"}\n\n')
  t.equal(hintKinds.length, 4)
})
