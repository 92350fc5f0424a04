import t from 'tap'
import { describeWaiting } from '../../src/diagnostics/waiting-facts.ts'
import type { WaitingGroup, WaitingJobs } from '../../src/jobs/activity/store.ts'
import { jobId, minutesAgo } from './well-facts.ts'

const group: WaitingGroup = {
  jobType: 'marketplace.orders.poll',
  code: null,
  part: null,
  isDue: true,
  isBehind: false,
  count: 2,
  oldestAt: minutesAgo(9),
  dueAt: minutesAgo(8),
  lastDueAt: minutesAgo(7),
  problem: null,
  sampleJobId: jobId
}
const shop = {
  name: 'My shop',
  status: 'active',
  pauses: [{ capability: null, reason: 'key-1 is renewed' }]
} as const
const describe = (more: Partial<WaitingGroup>, holds: WaitingJobs['holds'] = []) =>
  describeWaiting({ groups: [{ ...group, ...more }], holds }, shop, text => text.replace('key-1', '[redacted]'))[0]

t.test('jobs that could run say since when', async t => {
  t.match(describe({}), {
    reason: 'turn',
    count: 2,
    readySince: minutesAgo(8),
    until: undefined,
    lastUntil: undefined,
    sampleJobId: jobId
  })
})

t.test('jobs behind others of their objects, and jobs of a held connection, could not run', async t => {
  t.match(describe({ isBehind: true }), { reason: 'object', readySince: undefined })
  t.match(describe({ isBehind: true }, [{ reason: 'paused', until: minutesAgo(-5) }]), {
    reason: 'connection-paused',
    detail: "its connection 'My shop' is paused: [redacted] is renewed",
    until: minutesAgo(-5),
    readySince: undefined
  })
})

t.test('jobs that wait for another attempt say why and until when, without secrets', async t => {
  const problem = { code: 'LNK_ADAPTER_TRANSIENT', message: 'no answer for key-1' }
  t.match(describe({ isDue: false, dueAt: minutesAgo(-3), code: problem.code, problem }), {
    reason: 'retry',
    code: 'LNK_ADAPTER_TRANSIENT',
    detail: 'no answer for [redacted]',
    until: minutesAgo(-3)
  })
  t.equal(describe({ isDue: false, dueAt: null, code: problem.code, problem })?.until, undefined)
})

t.test('jobs that the traffic to their platform keeps waiting say until when the first and the last wait', async t => {
  const problem = { code: 'LNK_ADAPTER_RATE_LIMITED', message: 'there is no place' }
  const waiting = { isDue: false, dueAt: minutesAgo(-3), lastDueAt: minutesAgo(-9), code: problem.code, problem }

  t.match(describe({ ...waiting, part: 'budget' }), {
    reason: 'budget',
    detail: 'there is no place',
    until: minutesAgo(-3),
    lastUntil: minutesAgo(-9)
  })
  t.match(describe({ ...waiting, part: 'rate-limit' }), { reason: 'rate-limit' })
  t.match(describe({ ...waiting, part: 'circuit-breaker' }), { reason: 'circuit-breaker' })
})
