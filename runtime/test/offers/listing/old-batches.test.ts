import { randomUUID } from 'node:crypto'
import t from 'tap'
import { removeOldBatches } from '../../../src/offers/listing/store.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`old batches of offers, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    t.afterEach(() => query('delete from offer_batches'))

    async function addBatch (connectionId: string, days: number, jobId: string = randomUUID()): Promise<string> {
      const id = randomUUID()
      await query(
        "insert into offer_batches (id, connection_id, created_at) values ($1, $2, now() - $3 * interval '1 day')",
        [id, connectionId, days]
      )
      await query(
        `insert into offer_batch_items (batch_id, position, item, variant_id, offer_id, job_id)
        values ($1, 0, '{}', $2, $2, $3)`,
        [id, randomUUID(), jobId]
      )
      return id
    }
    const idsOf = async (): Promise<string[]> =>
      (await query<{ id: string }>('select id from offer_batches')).map(({ id }) => id)

    t.test('go with their items, in steps; newer ones stay', async t => {
      const connectionId = await jobs.addConnection()
      for (let n = 0; n < 45; n++) await addBatch(connectionId, 91 + n)
      const young = await addBatch(connectionId, 89)

      t.equal(await removeOldBatches(query, 90), 45)
      t.strictSame(await idsOf(), [young])
      t.equal((await query('select from offer_batch_items')).length, 1)
      t.equal(await removeOldBatches(query, 90), 0)
    })

    t.test('stay while one of their jobs has not ended', async t => {
      const connectionId = await jobs.addConnection()
      const enqueued = await jobs.enqueueJobs([1, 2].map(n => ({
        jobType: 'command.create',
        connectionId,
        payload: { object: String(n) },
        idempotencyKey: randomUUID()
      })))
      const [waiting = '', ended = ''] = enqueued.map(({ id }) => id)
      await query("update jobs set state = null, due_at = null, outcome = 'succeeded' where id = $1", [ended])
      const kept = await addBatch(connectionId, 200, waiting)
      await addBatch(connectionId, 200, ended)

      t.equal(await removeOldBatches(query, 90), 1)
      t.strictSame(await idsOf(), [kept])
    })
  })
}
