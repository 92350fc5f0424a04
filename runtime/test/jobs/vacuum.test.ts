import t from 'tap'
import { createVacuum } from '../../src/jobs/vacuum.ts'
import { openOwnJobs } from './support.ts'

// A server vacuums by itself.
t.test('dead rows of an embedded ledger are vacuumed once there are many', async t => {
  const { database: { query } } = await openOwnJobs(t, 'embedded')

  /** PostgreSQL counts dead rows a moment after they died. */
  async function countDead (): Promise<number> {
    const [row] = await query<
      { dead: string }
    >("select n_dead_tup as dead from pg_stat_user_tables where relname = 'jobs'")
    return Number(row?.dead)
  }

  const vacuum = createVacuum(query)
  const first = await vacuum()
  const before = await vacuum()
  await query(`
    insert into jobs (id, job_type, lane, object_key, idempotency_key, payload)
    select gen_random_uuid(), 'state.sync', 'state', number::text, number::text, '{}'
    from generate_series(1, 6000) as number`)
  await query('delete from jobs')
  while (await countDead() < 6_000) {
    await new Promise(resolve => {
      setTimeout(resolve, 20)
    })
  }

  t.equal(first, true, 'nobody knows what earlier processes left')
  t.equal(before, false)
  t.equal(await vacuum(), true)
})
