import t from 'tap'
import { removeExpiredState } from '../../src/adapters/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`expired state on ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('values that have expired and locks that have lapsed are removed, and nothing else', async t => {
      const connectionId = await jobs.addConnection()
      await query(
        `insert into connection_values (connection_id, key, value, expires_at) values
        ($1, 'expired', '1', now() - interval '1 second'),
        ($1, 'alive', '2', now() + interval '1 hour'),
        ($1, 'for ever', '3', null)`,
        [connectionId]
      )
      await query(
        `insert into connection_locks (connection_id, name, token, lapses_at) values
        ($1, 'lapsed', gen_random_uuid(), now() - interval '1 second'),
        ($1, 'held', gen_random_uuid(), now() + interval '1 hour')`,
        [connectionId]
      )

      t.equal(await removeExpiredState(query), 2)

      t.strictSame(await query('select key from connection_values order by key'), [{ key: 'alive' }, {
        key: 'for ever'
      }])
      t.strictSame(await query('select name from connection_locks'), [{ name: 'held' }])
      t.equal(await removeExpiredState(query), 0)
    })

    t.test('expired state is removed in more than one step', async t => {
      const connectionId = await jobs.addConnection()
      await query(
        "insert into connection_values (connection_id, key, value, expires_at) select $1, number::text, '1', now() - " +
          "interval '1 second' from generate_series(1, 2500) as number",
        [connectionId]
      )

      t.equal(await removeExpiredState(query), 2_500)
    })
  })
}
