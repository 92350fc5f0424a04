import t from 'tap'
import { deadJobItems, lateJobItems, waitingRedriveItems } from '../../../src/attention/items/job-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
const names = new Map([['c1', { id: 'c1', name: 'My shop' }]])
const group = {
  connectionId: 'c1',
  jobType: 'a.b',
  code: 'timeout',
  count: 3,
  firstAt: '2026-11-20T12:00:00.000Z',
  lastAt: '2026-11-26T11:00:00.000Z',
  sampleJobId: 'j1'
}

const causes = new Map([['j1', {
  jobId: 'j1',
  connectionId: 'c1',
  subject: 'Red mug',
  message: 'the price is too low'
}]])

t.test('the title of dead jobs has the product and the words of the platform', async t => {
  const titleOf = (more: object, cause = {}) => {
    const [known] = [...causes.values()]
    const given = new Map(known === undefined ? [] : [['j1', { ...known, ...cause }]])
    return deadJobItems([{ ...group, ...more }], { causes: given, names, nowMs })[0]?.title
  }

  t.equal(titleOf({ count: 1 }), "'Red mug', 'My shop': the price is too low")
  t.equal(titleOf({}), "'Red mug', 'My shop': the price is too low (3 jobs)")
  t.equal(titleOf({}, { subject: null }), "'My shop': the price is too low (3 jobs)")
  t.equal(
    titleOf({ count: 1, connectionId: null }, { subject: null, message: null }),
    'The hub: failed for good (timeout)'
  )
})

t.test('dead jobs are an error for a day after the last one died, then a warning', async t => {
  const [fresh] = deadJobItems([group], { causes, names, nowMs })
  const [old] = deadJobItems([{ ...group, lastAt: '2026-11-25T11:00:00.000Z' }], { causes, names, nowMs })

  t.match(fresh, { severity: 'error', since: group.firstAt, count: 3, code: 'timeout', connectionName: 'My shop' })
  t.match(fresh?.detail, /`linker jobs redrive --connection "My shop" --type a\.b --code timeout` runs them again/)
  t.match(fresh?.detail, /`linker jobs cancel-dead --connection "My shop" --type a\.b --code timeout` gives them up/)
  t.equal(fresh?.target, '/jobs?status=dead&connectionId=c1&jobType=a.b&code=timeout')
  t.equal(old?.severity, 'warning')
  t.equal(old?.key, fresh?.key, 'it is the same thing')
})

t.test('groups of the hub and of other codes have own keys; those of deleted connections are left out', async t => {
  const living = [group, { ...group, code: null }, { ...group, connectionId: null }]
  const items = deadJobItems([...living, { ...group, connectionId: 'c2' }], { causes, names, nowMs })

  t.equal(new Set(items.map(({ key }) => key)).size, living.length)
  t.equal(items.length, living.length)
  t.match(items[2]?.title, 'the hub: ')
})

t.test('very many groups are cut', async t => {
  const groups = Array.from({ length: 150 }, (_, number) => ({ ...group, jobType: `a.b${number}` }))

  t.equal(deadJobItems(groups, { causes, names, nowMs }).length, 100)
})

t.test('late jobs become an error after half an hour', async t => {
  const late = { connectionId: 'c1', count: 1_000, since: '2026-11-26T11:50:00.000Z', sampleJobId: 'j1' }
  const [item] = lateJobItems([late], names, nowMs)
  const [later] = lateJobItems([{ ...late, connectionId: null, since: '2026-11-26T11:00:00.000Z' }], names, nowMs)

  t.match(item, { key: 'late-jobs:c1', severity: 'warning', title: /10 minutes behind/, detail: /^1000 or more due / })
  t.match(later, { key: 'late-jobs', severity: 'error', target: '/jobs?status=queued' })
})

t.test('a redrive that waits is an information for a day, then a warning', async t => {
  const waiting = {
    id: 'r1',
    filter: { connectionId: 'c1' },
    detail: 'the first job did not die again; 499 jobs wait until somebody continues or stops it',
    remaining: 499,
    startedAt: '2026-11-26T11:50:00.000Z',
    startedBy: { kind: 'token' as const, name: 'Anna', tokenId: null }
  }
  const [item] = waitingRedriveItems([waiting], names, nowMs)
  const [later] = waitingRedriveItems([{ ...waiting, startedAt: '2026-11-25T11:50:00.000Z' }], names, nowMs)

  t.match(item, {
    key: 'waiting-redrive:c1:r1',
    severity: 'info',
    count: 499,
    connectionName: 'My shop',
    title: 'A redrive of Anna waits: 499 jobs are still dead',
    detail: /`linker jobs redrive continue r1` runs the others/,
    target: '/redrives/r1'
  })
  t.equal(later?.severity, 'warning')
})
