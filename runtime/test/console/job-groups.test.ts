import t from 'tap'
import {
  countIn,
  filterOfGroup,
  isAboutGroups,
  groupsWithin,
  reasonOfGroup,
  type JobGroup
} from '../../console/rules/job-groups.ts'

const group: JobGroup = {
  connectionId: 'c1',
  jobType: 'offer.update',
  code: 'LNK_X',
  count: 3,
  firstAt: '2026-01-31T10:00:00.000Z',
  lastAt: '2026-01-31T10:00:00.000Z',
  sampleJobId: 'j1',
  reason: null
}

t.test('a group is named by the members that it has', async t => {
  t.strictSame(filterOfGroup(group), { connectionId: 'c1', jobType: 'offer.update', code: 'LNK_X' })
  t.strictSame(filterOfGroup({ ...group, connectionId: null, code: null }), { jobType: 'offer.update' })
})

t.test('a filter of the list also chooses the groups', async t => {
  const other = { ...group, connectionId: 'c2', count: 4 }

  t.strictSame(groupsWithin([group, other], {}), [group, other])
  t.strictSame(groupsWithin([group, other], { connectionId: 'c2', code: 'LNK_X' }), [other])
  t.strictSame(groupsWithin([group, other], { jobType: 'other' }), [])
  t.equal(countIn([group, other]), 7)
})

t.test('the code of a waiting group is told when it failed before', async t => {
  t.equal(reasonOfGroup(group), 'LNK_X')
  t.equal(reasonOfGroup({ reason: 'retry', code: 'LNK_X' }), 'retry: LNK_X')
  t.equal(reasonOfGroup({ reason: 'connection-paused', code: 'LNK_X' }), 'connection-paused')
  t.equal(reasonOfGroup({ reason: null, code: null }), 'no code')
})

t.test('groups are left out when they cannot meet the filter', async t => {
  t.equal(isAboutGroups({}), true)
  t.equal(isAboutGroups({ status: 'dead', connectionId: 'c' }), true)
  t.equal(isAboutGroups({ status: 'dead', requestId: 'r' }), false)
})
