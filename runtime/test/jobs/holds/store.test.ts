import { randomUUID } from 'node:crypto'
import t from 'tap'
import { groupsHeldForLong } from '../../../src/jobs/holds/statements.ts'
import { endHold, holdFor, renewHold, setHold } from '../../../src/jobs/holds/store.ts'
import { kinds, openJobsFor } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`holds, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)

    t.test('one release ends the hold of a group, however often the hold was asked for', async t => {
      const group = randomUUID()

      await setHold(query, group, 'inactive', true)
      await setHold(query, group, 'inactive', true)
      t.strictSame(await query(groupsHeldForLong), [{ group_id: group }])
      await setHold(query, group, 'inactive', false)

      t.strictSame(await query(groupsHeldForLong), [])
    })

    t.test('only the newest mark of a hold renews and ends it', async t => {
      const group = randomUUID()
      const first = await holdFor(query, group, 'moving', 60_000) ?? ''

      t.equal(await holdFor(query, group, 'moving', 60_000), undefined)
      const second = await renewHold(query, group, 'moving', first, 60_000) ?? ''
      t.equal(await renewHold(query, group, 'moving', first, 60_000), undefined)
      t.equal(await endHold(query, group, 'moving', first), false)
      t.equal(await endHold(query, group, 'moving', second), true)
      t.equal(await endHold(query, group, 'moving', second), false)
    })

    t.test('a hold that lapsed makes room for another and is not renewed', async t => {
      const group = randomUUID()
      const first = await holdFor(query, group, 'moving', 60_000) ?? ''
      await query("update job_holds set lapses_at = now() - interval '1 millisecond'")

      t.equal(await renewHold(query, group, 'moving', first, 60_000), undefined)
      t.type(await holdFor(query, group, 'moving', 60_000), 'string')
    })

    t.test('a hold that lapses too soon is not ended by a caller who still has to commit', async t => {
      const group = randomUUID()
      const mark = await holdFor(query, group, 'moving', 60_000) ?? ''

      t.equal(await endHold(query, group, 'moving', mark, 120_000), false)
      t.equal(await endHold(query, group, 'moving', mark, 1_000), true)
    })
  })
}
