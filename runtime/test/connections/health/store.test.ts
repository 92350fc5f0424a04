import { RejectedError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listHealth } from '../../../src/connections/health/store.ts'
import { createCounting } from '../../../src/figures/counting.ts'
import { storeFigures } from '../../../src/figures/store.ts'
import { commandJob, ended, enqueueOne, kinds, openJobsFor } from '../../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`the health of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    const healthOf = async (id: string) => {
      const found = (await listHealth(query, { limit: 100, after: undefined })).find(health => health.id === id)
      if (found === undefined) throw new Error('the connection is not listed')
      return found
    }

    t.test('the last runs stay when the jobs are gone and only figures are left', async t => {
      const connectionId = await jobs.addConnection()
      let isDown = true
      const worker = jobs.startWorker(async () => {
        if (isDown) throw new RejectedError('down')
        return {}
      })
      await ended(jobs, [await enqueueOne(jobs, commandJob('bad', { connectionId }))])
      isDown = false
      await ended(jobs, [await enqueueOne(jobs, commandJob('good', { connectionId }))])
      await worker.stop()
      const before = await healthOf(connectionId)
      const { lastSuccessAt, lastFailureAt, lastFailureCode } = before
      const counting = createCounting({ onFirst: () => undefined })
      counting.ran(connectionId, { hasFailed: false, code: undefined, at: new Date(lastSuccessAt ?? '') })
      counting.ran(connectionId, {
        hasFailed: true,
        code: 'LNK_OTHER',
        at: new Date(Date.parse(lastFailureAt ?? '') - 9)
      })
      counting.ran(connectionId, { hasFailed: true, code: 'LNK_ADAPTER_REJECTED', at: new Date(lastFailureAt ?? '') })
      counting.count(connectionId, 'jobsPutBack')
      const beginsAt = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
      await storeFigures(query, randomUUID(), counting.take().map(row => ({ ...row, beginsAt })))
      await query('delete from jobs where connection_id = $1', [connectionId])
      const after = await healthOf(connectionId)

      t.equal(lastFailureCode, 'LNK_ADAPTER_REJECTED')
      t.match([lastSuccessAt, lastFailureAt], [/Z$/, /Z$/])
      t.match(after, { lastSuccessAt, lastFailureAt, lastFailureCode })
    })

    t.test('a job that was put back to wait did not fail', async t => {
      const connectionId = await jobs.addConnection()
      const counting = createCounting({ onFirst: () => undefined })
      counting.count(connectionId, 'jobsPutBack')
      await storeFigures(
        query,
        randomUUID(),
        counting.take().map(row => ({ ...row, beginsAt: new Date().toISOString() }))
      )

      t.match(await healthOf(connectionId), { lastFailureAt: null, lastFailureCode: null })
    })

    t.test('a pause and an open circuit breaker are named', async t => {
      const [well, ill] = [await jobs.addConnection(), await jobs.addConnection()]
      await query(
        `insert into connection_pauses (connection_id, capability, reason, until, since, paused_by)
        values ($1, '', 'stocktaking', null, now(), '{"kind":"token","name":"ada","tokenId":null}')`,
        [ill]
      )
      await query(
        `insert into upstream_states (connection_id, version, state, is_guarded)
        values ($1, 1, '{"breaker":{"openedAt":1769860800000,"openUntil":1769860830000,"openings":1}}', true)`,
        [ill]
      )

      t.match(await healthOf(well), { pauses: [], breaker: null })
      t.match(await healthOf(ill), {
        pauses: [{ capability: null, reason: 'stocktaking' }],
        breaker: { openedAt: '2026-01-31T12:00:00.000Z', openUntil: '2026-01-31T12:00:30.000Z' }
      })
    })
  })
}
