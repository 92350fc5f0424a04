import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  listAway,
  listProcesses,
  listUnreadable,
  noteAlive,
  noteStopped,
  readMixedStreams,
  readWorkerAbsence,
  removeProcess
} from '../../src/system/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const noFaults = { adaptersAway: [], unreadableKeys: [] }

for (const kind of kinds(t)) {
  t.test(`the processes of the hub, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)
    const startedAt = new Date()
    const newProcess = (pid: number) => ({
      id: randomUUID(),
      role: 'worker',
      mode: 'full' as const,
      version: '1.0.0',
      host: 'machine',
      pid,
      startedAt
    })
    const away = { adapterKey: 'shop.api.v1', adapterVersion: null, problem: 'No adapter\0 shop.api.v1' }
    const stored = { ...away, problem: 'No adapter\ufffd shop.api.v1' }
    const [one, other] = [newProcess(1), newProcess(2)]

    await t.test('say which adapters do not serve in them, each for itself', async t => {
      await noteAlive(query, one, { ...noFaults, adaptersAway: [away] })
      await noteAlive(query, other, noFaults)

      const found = await listAway(query)
      t.strictSame(found.find(({ pid }) => pid === 1), { id: one.id, host: 'machine', pid: 1, adaptersAway: [stored] })
      t.match(found.find(({ pid }) => pid === 2), { adaptersAway: { length: 0 } })
    })

    await t.test('take it back when the adapter serves', async t => {
      await noteAlive(query, one, noFaults)

      t.strictSame((await listAway(query)).flatMap(({ adaptersAway }) => adaptersAway), [])
    })

    await t.test('say whether they use Redis, as long as they are alive; those of an older hub do not', async t => {
      const without = { ...newProcess(3), role: 'http', mode: 'postgres' as const }
      const pidsOf = async () => {
        const { inRedis, inTables } = await readMixedStreams(query) ?? { inRedis: [], inTables: [] }
        return [inRedis, inTables].map(processes => processes.map(({ pid }) => pid).toSorted((a, b) => a - b))
      }
      t.strictSame(await pidsOf(), [[], []])
      await noteAlive(query, without, noFaults)
      t.strictSame(await pidsOf(), [[1, 2], [3]])
      t.equal((await listProcesses(query)).find(({ pid }) => pid === 3)?.mode, 'postgres')

      await query('update processes set mode = null where id = $1', [without.id])
      t.strictSame(await pidsOf(), [[], []])
      t.equal((await listProcesses(query)).find(({ pid }) => pid === 3)?.mode, null)
      await removeProcess(query, without.id)
    })

    await t.test('say which secrets they cannot open, until they can', async t => {
      const unreadableKeys = [{ keyId: 'k1', problem: 'wrong' as const }]
      await noteAlive(query, one, { ...noFaults, unreadableKeys })

      const told = await listUnreadable(query)
      t.strictSame(told.find(({ pid }) => pid === 1), { id: one.id, host: 'machine', pid: 1, unreadableKeys })
      t.strictSame(told.find(({ pid }) => pid === 2)?.unreadableKeys, [])
      await noteAlive(query, one, noFaults)
      t.strictSame((await listUnreadable(query)).flatMap(({ unreadableKeys }) => unreadableKeys), [])
    })

    await t.test('count for a minute after their last sign of life, also those of an older hub', async t => {
      await query('update processes set adapters_away = null, unreadable_keys = null where id = $1', [one.id])
      await query("update processes set seen_at = now() - interval '61 seconds' where id = $1", [other.id])

      t.strictSame(await listAway(query), [{ id: one.id, host: 'machine', pid: 1, adaptersAway: [] }])
      t.strictSame(await listUnreadable(query), [{ id: one.id, host: 'machine', pid: 1, unreadableKeys: [] }])
      t.match(await listProcesses(query), [{ id: one.id, host: 'machine', pid: 1 }])
    })
  })

  t.test(`whether a process runs jobs, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)
    await query('delete from processes')
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const newProcess = (role: string, startedAt: Date) => ({
      id: randomUUID(),
      role,
      mode: 'postgres' as const,
      version: '1.0.0',
      host: 'machine',
      pid: 1,
      startedAt
    })
    const http = newProcess('http', minutesAgo(1))
    const worker = newProcess('worker', minutesAgo(5_000))
    const absence = () => readWorkerAbsence(query, 90)
    const lastSeen = (id: string, ago: string) =>
      query('update processes set seen_at = now() - $2::interval where id = $1', [id, ago])

    await t.test('nobody knows while no process is alive', async t => {
      t.equal(await absence(), undefined)
    })

    await t.test('a hub that has just started is given time', async t => {
      await noteAlive(query, http, noFaults)
      t.equal(await absence(), undefined)

      const another = newProcess('http', minutesAgo(2))
      await noteAlive(query, another, noFaults)
      t.strictSame(await absence(), { since: null }, 'another process has waited for long enough')
    })

    await t.test('a process of role worker or all runs them until 90 s after it counts as dead', async t => {
      const all = newProcess('all', minutesAgo(5_000))
      for (const process of [worker, all]) {
        await noteAlive(query, process, noFaults)
        t.equal(await absence(), undefined)
        await lastSeen(process.id, '145 seconds')
        t.equal(await absence(), undefined)
        await lastSeen(process.id, '155 seconds')
        t.match(await absence(), { since: /^\d.*Z$/ })
      }
      await removeProcess(query, all.id)
    })

    await t.test('a worker that stopped counts as dead at once, and its successor has 90 s to come', async t => {
      await noteAlive(query, worker, noFaults)
      await noteStopped(query, worker.id)

      t.notOk((await listProcesses(query)).some(({ id }) => id === worker.id))
      t.equal(await absence(), undefined)
    })

    await t.test('the hub remembers the last worker for more than a day, and no others', async t => {
      const older = newProcess('worker', minutesAgo(5_000))
      await noteAlive(query, older, noFaults)
      await lastSeen(older.id, '4 days')
      await lastSeen(worker.id, '3 days')
      await noteAlive(query, http, noFaults)

      const since = (await absence())?.since ?? ''
      t.equal(Math.round((Date.now() - Date.parse(since)) / 86_400_000), 3)
      t.strictSame(await query('select id from processes where id = $1', [older.id]), [])
    })
  })
}
