import t from 'tap'
import { findLongRests } from '../../src/upstream/evidence.ts'

const now = 1_000_000_000
const rest = { since: now - 180_000, reason: 'GET /x answered 429', isAway: false }

t.test('a rest that ended more than a minute ago is none, although it is still stored', async t => {
  const shortly = { throttledUntil: rest.since + 5_000, rest }
  t.strictSame(findLongRests({ ...shortly, areas: { module: shortly } }, now), [])
})

t.test('a long rest stays while a probe is due, or under way', async t => {
  const ended = { throttledUntil: now - 59_000, rest }
  const { throttledUntil: until } = ended
  t.strictSame(findLongRests({ areas: { module: ended } }, now), [{ area: 'module', until, ...rest }])
  t.strictSame(findLongRests(ended, now + 2_000), [])

  const probe = { callId: 'call', until: now + 30_000 }
  t.match(findLongRests({ ...ended, rest: { ...rest, probe } }, now + 2_000), [{ until }])
})
