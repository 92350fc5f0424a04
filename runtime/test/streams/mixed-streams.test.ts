import t from 'tap'
import { findMixedStreams } from '../../src/streams/mixed-streams.ts'

const newProcess = (mode: 'embedded' | 'postgres' | 'full' | null, minute: number) => ({
  role: 'http',
  mode,
  host: 'a',
  pid: minute,
  startedAt: `2026-11-26T11:${minute}:00.000Z`
})

t.test('processes that use the same streams, or do not say which, are not mixed', async t => {
  t.equal(findMixedStreams([]), undefined)
  t.equal(findMixedStreams([newProcess('full', 10), newProcess('full', 11), newProcess(null, 12)]), undefined)
  t.equal(findMixedStreams([newProcess('postgres', 10), newProcess(null, 12)]), undefined)
})

t.test('processes with and without Redis are mixed since the first of the later kind', async t => {
  const [first, second, third, fourth] = [
    newProcess('full', 10),
    newProcess('postgres', 21),
    newProcess('postgres', 20),
    newProcess('full', 30)
  ]

  t.strictSame(findMixedStreams([first, second, third, fourth]), {
    since: third.startedAt,
    inRedis: [first, fourth],
    inTables: [second, third]
  })
})
