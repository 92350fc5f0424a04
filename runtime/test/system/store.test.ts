import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listAway, listProcesses, noteAlive } from '../../src/system/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`the processes of the hub, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)
    const startedAt = new Date()
    const newProcess = (pid: number) => ({
      id: randomUUID(),
      role: 'worker',
      version: '1.0.0',
      host: 'machine',
      pid,
      startedAt
    })
    const away = { adapterKey: 'shop.api.v1', adapterVersion: null, problem: 'No adapter\0 shop.api.v1' }
    const stored = { ...away, problem: 'No adapter\ufffd shop.api.v1' }
    const [one, other] = [newProcess(1), newProcess(2)]

    await t.test('say which adapters do not serve in them, each for itself', async t => {
      await noteAlive(query, one, [away])
      await noteAlive(query, other, [])

      const found = await listAway(query)
      t.strictSame(found.find(({ pid }) => pid === 1), { id: one.id, host: 'machine', pid: 1, adaptersAway: [stored] })
      t.match(found.find(({ pid }) => pid === 2), { adaptersAway: { length: 0 } })
    })

    await t.test('take it back when the adapter serves', async t => {
      await noteAlive(query, one, [])

      t.strictSame((await listAway(query)).flatMap(({ adaptersAway }) => adaptersAway), [])
    })

    await t.test('count for a minute after their last sign of life, also those of an older hub', async t => {
      await query('update processes set adapters_away = null where id = $1', [one.id])
      await query("update processes set seen_at = now() - interval '61 seconds' where id = $1", [other.id])

      t.strictSame(await listAway(query), [{ id: one.id, host: 'machine', pid: 1, adaptersAway: [] }])
      t.match(await listProcesses(query), [{ id: one.id, host: 'machine', pid: 1 }])
    })
  })
}
