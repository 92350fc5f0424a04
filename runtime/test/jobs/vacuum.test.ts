import t from 'tap'
import { createVacuum } from '../../src/jobs/vacuum.ts'
import { openOwnJobs } from './support.ts'

// A server vacuums by itself.
t.test('dead rows of an embedded ledger, and of redrives, are vacuumed once there are many', async t => {
  const { database: { query } } = await openOwnJobs(t, 'embedded')

  /** PostgreSQL counts dead rows a moment after they died. */
  async function countDead (table: string): Promise<number> {
    const [row] = await query<{ dead: string }>(
      'select n_dead_tup as dead from pg_stat_user_tables where relname = $1',
      [
        table
      ]
    )
    return Number(row?.dead)
  }

  async function counted (table: string): Promise<void> {
    while (await countDead(table) < 6_000) {
      await new Promise(resolve => {
        setTimeout(resolve, 20)
      })
    }
  }

  const vacuum = createVacuum(query)
  const first = await vacuum()
  const before = await vacuum()
  await query(`
    insert into jobs (id, job_type, lane, object_key, idempotency_key, payload)
    select gen_random_uuid(), 'state.sync', 'state', number::text, number::text, '{}'
    from generate_series(1, 6000) as number`)
  await query('delete from jobs')
  await counted('jobs')
  const afterJobs = await vacuum()
  const id = '11111111-1111-4111-8111-111111111111'
  await query(
    `
    insert into redrives (id, state, is_open, filter, next_at, is_more, figures, started_by, created_at)
    values ($1, 'done', false, '{}', now(), false, '{}', '{}', now())`,
    [id]
  )
  await query(
    `
    insert into redrive_jobs (redrive_id, position, job_id, fate)
    select $1, number, gen_random_uuid(), 'left' from generate_series(1, 6000) as number`,
    [id]
  )
  await query('delete from redrives')
  await counted('redrive_jobs')

  t.strictSame(first, ['jobs', 'redrives', 'redrive_jobs'], 'nobody knows what earlier processes left')
  t.strictSame(before, [])
  t.strictSame(afterJobs, ['jobs'])
  t.strictSame(await vacuum(), ['redrive_jobs'])
})
