import t from 'tap'
import { compareLocks } from '../../src/adapters/lock-drift.ts'
import { describePermissions, grownPermissions } from '../../src/adapters/lock-permissions.ts'
import type { LockedAdapter } from '../../src/adapters/lock.ts'

const of = (letter: string, more: Partial<LockedAdapter> = {}): LockedAdapter => ({
  package: 'pkg',
  integrity: `sha512-${letter}`,
  permissions: {},
  ...more
})
const compare = (locked: Record<string, LockedAdapter>, current: Record<string, LockedAdapter>) =>
  compareLocks(new Map(Object.entries(locked)), new Map(Object.entries(current)))

t.test('a lock does not differ from itself, in whatever order', async t => {
  t.strictSame(compare({}, {}), [])
  t.strictSame(
    compare({ 'b.api.v1@1.0.0': of('b'), 'a.api.v1@1.0.0': of('a', { permissions: { routes: true, http: [] } }) }, {
      'a.api.v1@1.0.0': of('a', { permissions: { http: [], routes: true } }),
      'b.api.v1@1.0.0': of('b')
    }),
    []
  )
})

t.test('added, removed and changed adapters are told apart and named', async t => {
  const drift = compare(
    {
      'gone.api.v1@1.0.0': of('a'),
      'same.api.v1@1.0.0': of('a'),
      'moved.api.v1@1.0.0': of('a'),
      'bytes.api.v1@1.0.0': of('a')
    },
    {
      'new.api.v1@1.0.0': of('a'),
      'same.api.v1@1.0.0': of('a'),
      'moved.api.v1@1.0.0': of('a', { package: 'other' }),
      'bytes.api.v1@1.0.0': of('b', { permissions: { routes: true } })
    }
  )

  t.match(drift, [
    {
      kind: 'changed',
      adapter: 'bytes.api.v1@1.0.0',
      message: /other files .* and has other permissions/,
      grown: ['answer requests at routes of its own']
    },
    { kind: 'removed', adapter: 'gone.api.v1@1.0.0', message: /is in linker\.lock but not in this project/ },
    { kind: 'changed', adapter: 'moved.api.v1@1.0.0', message: /\(other\) was package pkg before$/ },
    { kind: 'added', adapter: 'new.api.v1@1.0.0', message: /is not in linker\.lock/ }
  ])
  t.equal(drift.length, 4)
})

t.test('a new version is compared with the newest locked one, and a new key with nothing', async t => {
  const locked = {
    'a.api.v1@1.0.0': of('a', { permissions: { routes: true, schedules: true } }),
    'a.api.v1@1.2.0': of('b', { permissions: { routes: true } })
  }
  const grownOf = (adapter: string) =>
    compare(locked, { [adapter]: of('c', { permissions: { routes: true, schedules: true } }) }).find(drift =>
      drift.adapter === adapter
    )?.grown

  t.strictSame(grownOf('a.api.v1@1.3.0'), ['start jobs on a schedule'])
  t.strictSame(grownOf('a.api.v2@2.0.0'), [])
})

t.test('only permissions that the locked ones do not cover count as new', async t => {
  const before = { http: ['https://a.example'], jobs: ['shopa.*'], routes: true }

  t.strictSame(
    grownPermissions(before, {
      http: ['https://a.example'],
      jobs: ['shopa.inventory.*', 'shopa.order.sync'],
      routes: true
    }),
    []
  )
  t.strictSame(grownPermissions(before, {}), [])
  t.strictSame(grownPermissions(before, undefined), [])
  t.strictSame(
    grownPermissions(before, { http: ['https://b.example'], jobs: ['marketplace.*'], routes: true, schedules: true }),
    ['send requests to https://b.example', 'run and enqueue the jobs marketplace.*', 'start jobs on a schedule']
  )
  t.strictSame(grownPermissions(before, { ...before, connections: true }), [
    'read, create and renew connections of its platform'
  ])
  t.strictSame(grownPermissions({ ...before, connections: true }, { ...before, connections: true }), [])
  t.strictSame(describePermissions(before), [
    'send requests to https://a.example',
    'run and enqueue the jobs shopa.*',
    'answer requests at routes of its own'
  ])
})
