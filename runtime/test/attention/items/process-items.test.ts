import t from 'tap'
import { mixedStreamsItems, noWorkerItems, unreadableKeyItems } from '../../../src/attention/items/process-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')

t.test('a hub whose jobs run has no item', async t => {
  t.strictSame(noWorkerItems(undefined, nowMs), [])
})

t.test('the item says since when nothing runs jobs, if that is known, and what to do', async t => {
  const [known] = noWorkerItems({ since: '2026-11-26T11:54:00.000Z' }, nowMs)
  const [unknown] = noWorkerItems({ since: null }, nowMs)

  t.match(known, {
    key: 'no-worker',
    severity: 'error',
    since: '2026-11-26T11:54:00.000Z',
    detail: /^No process with the role `worker` or `all` has been alive for 6 minutes, .*`linker start --role worker`/,
    target: '/system'
  })
  t.match(unknown, { key: 'no-worker', since: null, detail: /^No process with the role `worker` or `all` is alive, / })
})

t.test('processes of which some use Redis and others do not are one error that names them', async t => {
  const newProcess = (pid: number, role: string) => ({ pid, role, mode: null, host: 'a', startedAt: '' })
  const since = '2026-11-26T11:54:00.000Z'
  const inTables = [1, 2, 3, 4, 5, 6, 7].map(pid => newProcess(pid, 'http'))
  const items = mixedStreamsItems({ since, inRedis: [newProcess(9, 'worker')], inTables })

  t.match(items, [{
    key: 'mixed-streams',
    severity: 'error',
    since,
    detail: /process 9 on a \(worker\); without: process 1 on a \(http\), .* process 5 on a \(http\) and 2 more\./,
    target: '/system'
  }])
  t.notMatch(items[0]?.detail, 'process 6')
  t.strictSame(mixedStreamsItems(undefined), [])
})

t.test('each key that a process cannot open is an item, which counts these processes', t => {
  const wrong = { keyId: 'k1', problem: 'wrong' as const }
  const items = unreadableKeyItems([
    { host: 'a', pid: 1, unreadableKeys: [] },
    { host: 'b', pid: 2, unreadableKeys: [wrong] },
    { host: 'c', pid: 3, unreadableKeys: [wrong, { keyId: 'k2', problem: 'missing' }] }
  ])

  t.match(items, [
    {
      key: 'credentials-unreadable:wrong:k1',
      severity: 'error',
      count: 2,
      detail: /process 2 on b, process 3 on c/,
      target: '/system'
    },
    { key: 'credentials-unreadable:missing:k2', severity: 'error', count: 1, detail: /process 3 on c/ }
  ])
  t.equal(items.length, 2)
  t.end()
})
