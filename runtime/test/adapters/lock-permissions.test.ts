import t from 'tap'
import { describePermissions, grownPermissions } from '../../src/adapters/lock-permissions.ts'

t.test('every permission is a line, and an adapter without permissions has none', async t => {
  const all = {
    http: ['https://a.example', 'https://b.example'],
    jobs: ['feed.*'],
    capabilities: ['acme/Labels'],
    routes: true,
    connections: true,
    schedules: true
  }

  t.equal(describePermissions(all).length, 7)
  t.equal(new Set(describePermissions(all)).size, 7)
  t.strictSame(describePermissions(undefined), [])
  t.strictSame(describePermissions({ routes: false, http: [] }), [])
})

t.test('only what was not permitted before has grown', async t => {
  const before = { http: ['https://a.example'], routes: true }
  const after = { http: ['https://b.example', 'https://a.example'], routes: true, schedules: true }

  t.match(grownPermissions(before, after), [/https:\/\/b\.example$/, /schedule/])
  t.equal(grownPermissions(before, after).length, 2)
  t.strictSame(grownPermissions(after, before), [])
  t.strictSame(grownPermissions(before, undefined), [])
})

t.test('a wider pattern of jobs covers a narrower one, and not the other way round', async t => {
  t.strictSame(grownPermissions({ jobs: ['feed.*'] }, { jobs: ['feed.read', 'feed.orders.*'] }), [])
  t.match(grownPermissions({ jobs: ['feed.read'] }, { jobs: ['feed.*'] }), [/feed\.\*$/])
  t.match(grownPermissions({ jobs: ['feed.*'] }, { jobs: ['feedshop.read'] }), [/feedshop\.read$/])
})

t.test('a capability of other connections has grown when it was not permitted before', async t => {
  const before = { capabilities: ['acme/Labels'] }

  t.match(grownPermissions(before, { capabilities: ['acme/Labels', 'acme/Prices'] }), [/^call acme\/Prices /])
  t.strictSame(grownPermissions(before, before), [])
})

t.test('an address that only looks like a permitted one is new', async t => {
  t.equal(grownPermissions({ http: ['https://*.example.com'] }, { http: ['https://*.example.org'] }).length, 1)
  t.equal(grownPermissions({ http: ['https://*.example.com'] }, { http: ['https://a.example.com'] }).length, 1)
})
