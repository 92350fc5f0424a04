import t from 'tap'
import { connectionItems, type ConnectionFact } from '../../../src/attention/items/connection-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
const well: ConnectionFact = {
  id: 'c1',
  name: 'My shop',
  status: 'active',
  statusReason: null,
  errorSince: null,
  adapterAway: null,
  ordersTakenBy: null,
  pauses: [],
  schedulesOff: []
}
const by = { kind: 'token', name: 'anna', tokenId: null } as const
const pause = { capability: null, reason: null, until: null, since: '2026-11-26T11:00:00.000Z', by }
const away = { problem: 'the adapter\nis gone', processes: [{ host: 'a', pid: 1 }], isEverywhere: true }
const itemsOf = (members: Partial<ConnectionFact>) => connectionItems([{ ...well, ...members }], nowMs)

t.test('a connection that works is no item', async t => {
  t.strictSame(itemsOf({}), [])
})

t.test('a disabled connection is left alone', async t => {
  t.strictSame(itemsOf({ status: 'disabled', adapterAway: away, pauses: [pause], schedulesOff: ['a'] }), [])
})

t.test('a connection in error names its reason and the command that mends it', async t => {
  const [item] = itemsOf({ status: 'error', statusReason: 'the key\nwas revoked', errorSince: pause.since })

  t.match(item, { key: 'connection-error:c1', severity: 'error', since: pause.since, connectionName: 'My shop' })
  t.match(item?.detail, 'the key was revoked. Correct')
  t.match(item?.detail, '`linker connections credentials "My shop"`')
  t.match(item?.detail, '`linker connections test "My shop"` ends the error')
})

t.test('an adapter that does not serve names the processes that lack it, unless all do', async t => {
  const [everywhere] = itemsOf({ adapterAway: away })
  t.match(everywhere, { key: 'adapter-away:c1', severity: 'error', count: 1 })
  t.match(everywhere?.detail, "the adapter is gone. The jobs of 'My shop' wait for it; install")

  const processes = [1, 2, 3, 4, 5].map(pid => ({ host: 'a', pid }))
  const [some] = itemsOf({ adapterAway: { ...away, processes, isEverywhere: false } })
  t.match(some, { key: 'adapter-away:c1', count: 5 })
  t.match(some?.detail, 'that begin in process 1 on a, process 2 on a, process 3 on a and 2 more; install')
})

t.test('a connection whose orders another one takes names both, and how to end it', async t => {
  const [item] = itemsOf({ ordersTakenBy: { id: 'c2', name: 'First' } })

  t.match(item, { key: 'account-shared:c1', severity: 'warning', target: '/connections/c1' })
  t.match(item?.detail, /^'My shop' opens the same account as 'First': the hub takes the orders from 'First' only/)
  t.match(item?.detail, '`linker connections delete "My shop"` or `linker connections delete First`')
})

t.test('a pause without an end becomes a warning after a day', async t => {
  const since = '2026-11-25T11:00:00.000Z'

  t.match(itemsOf({ pauses: [pause] }), [{ kind: 'pause-open', severity: 'info' }])
  t.match(itemsOf({ pauses: [pause, { ...pause, since, capability: 'OrderSource' }] }), [
    { severity: 'warning', since, count: 2 }
  ])
  t.strictSame(itemsOf({ pauses: [{ ...pause, until: '2026-11-27T00:00:00.000Z' }] }), [])
})

t.test('schedules that an operator switched off are one item', async t => {
  t.match(itemsOf({ schedulesOff: ['a', 'b'] }), [{ kind: 'schedules-off', severity: 'info', count: 2 }])
})
