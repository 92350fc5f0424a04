import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readCursors } from '../../src/adapters/store.ts'
import { keepEffects } from '../../src/handlers/kept-effects.ts'
import type { JobOutcome } from '../../src/jobs/running-job.ts'
import { cheapestKind, openJobsFor, stateJob } from '../jobs/support.ts'
import { runningJob } from './fake-adapter.ts'

const enqueued = (key: string) => ({ jobType: 'feed.read', payload: { key }, key })

t.test('a job whose calls want nothing stored has the outcome of its handler', async t => {
  const outcome: JobOutcome = { result: 1 }
  const handler = keepEffects(async ({ keep }) => {
    keep('c', { cursors: {}, jobs: [] })
    return outcome
  })

  t.equal(await handler(runningJob('feed.read', 'c')), outcome)
})

t.test('jobs of several calls follow those of the handler, in the order of the calls', async t => {
  const own = stateJob('own')
  const handler = keepEffects(async ({ keep }) => {
    keep('c', { cursors: {}, jobs: [enqueued('1')] })
    keep('c', { cursors: {}, jobs: [enqueued('2')] })
    return { followUps: [own], result: 'kept' }
  })
  const { followUps = [], result } = await handler({ ...runningJob('feed.read', 'c'), requestId: 'r-1' })

  t.equal(result, 'kept')
  t.strictSame(followUps.map(({ payload }) => payload), [own.payload, { key: '1' }, { key: '2' }])
  t.match(followUps.slice(1), [{ connectionId: 'c', requestId: 'r-1' }, { connectionId: 'c', requestId: 'r-1' }])
})

t.test('cursors of calls', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs

  t.test('are stored in the transaction of the end, the last one of a name, and with it rolled back', async t => {
    const connectionId = await jobs.addConnection()
    const followUp = stateJob(randomUUID())
    const handler = keepEffects(async ({ keep }) => {
      keep(connectionId, { cursors: { feed: '1' }, jobs: [] })
      keep(connectionId, { cursors: { feed: '2', orders: 'a' }, jobs: [] })
      return { effects: async () => [followUp] }
    })
    const { effects } = await handler(runningJob('feed.read', connectionId))
    if (effects === undefined) throw new TypeError('nothing would be stored')
    await t.rejects(
      database.transaction(async transaction => {
        await effects(transaction)
        throw new Error('rolled back')
      }),
      /rolled back/
    )
    t.strictSame(await readCursors(database.query, connectionId), {})

    t.strictSame(await database.transaction(effects), [followUp])
    t.strictSame(await readCursors(database.query, connectionId), { feed: '2', orders: 'a' })
  })
})
