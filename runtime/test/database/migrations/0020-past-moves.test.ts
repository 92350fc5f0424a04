import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listMoves } from '../../../src/connections/moves/store.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'

const log = { warn: () => undefined }

const insertSnapshot = `
  insert into connection_snapshots (
    id, connection_id, adapter_key, adapter_version, config, capabilities, cursors, created_at, restored_at
  )
  values ($1, $2, 'a', $3, '{}', '[]', '{}', $4, $5)`

for (const kind of kinds(t)) {
  t.test(`moves of the versions before tell where they led, as far as it is known, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    const { query } = jobs.database
    const [id, other] = [await jobs.addConnection(), await jobs.addConnection()]
    await query("update connections set adapter_key = 'a', adapter_version = '4.0.0'")
    const take = async (connectionId: string, version: string | null, minute: number, restored?: number) =>
      query(insertSnapshot, [
        randomUUID(),
        connectionId,
        version,
        new Date(minute * 60_000),
        restored === undefined ? null : new Date(restored * 60_000)
      ])
    // 1 → 2 → 3, both rolled back; 1 → latest → 4.
    await take(id, '1.0.0', 1, 4)
    await take(id, '2.0.0', 2, 3)
    await take(id, '1.0.0', 5)
    await take(id, null, 6)
    await take(other, '0.1.0', 1)
    await query(`
      alter table connection_snapshots
        drop column to_adapter_key,
        drop column to_adapter_version,
        drop column moved_by
    `)
    await query("delete from linker_migrations where name like '0020%'")
    await jobs.close()

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())
    const moves = await listMoves(database.query, id)
    t.strictSame(moves.map(({ from, to }) => [from.adapterVersion, to?.adapterVersion]), [
      [null, '4.0.0'],
      ['1.0.0', null],
      ['2.0.0', undefined],
      ['1.0.0', '2.0.0']
    ])
    t.strictSame(moves.map(({ movedBy }) => movedBy), [null, null, null, null])
    t.match(await listMoves(database.query, other), [{ to: { adapterKey: 'a', adapterVersion: '4.0.0' } }])
  })
}
