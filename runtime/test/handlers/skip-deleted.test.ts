import t from 'tap'
import { ConnectionNotFoundException } from '../../src/errors.ts'
import { skipDeleted } from '../../src/handlers/skip-deleted.ts'
import type { RunningJob } from '../../src/jobs/running-job.ts'

const jobOf = (connectionId: string | null): RunningJob => ({
  id: 'job',
  jobType: 'state.sync',
  connectionId,
  payload: {},
  claimedAt: '',
  signal: new AbortController().signal,
  deadline: 0,
  servedBy: () => undefined
})
const isDeleted = async (id: string): Promise<boolean> => id === 'deleted'
const notFound = new ConnectionNotFoundException('deleted')

t.test('a job of a deleted connection ends without effect', async t => {
  const run = skipDeleted(() => Promise.reject(notFound), isDeleted)

  t.strictSame(await run(jobOf('deleted')), { result: { skipped: 'the connection was deleted' } })
})

t.test('any other failure stays as it is', async t => {
  const unknown = skipDeleted(() => Promise.reject(notFound), isDeleted)
  for (const id of ['unknown', null]) await t.rejects(unknown(jobOf(id)), notFound)

  const failure = new Error('the platform is away')
  await t.rejects(skipDeleted(() => Promise.reject(failure), isDeleted)(jobOf('deleted')), failure)
})

t.test('a job that succeeds is not asked for its connection', async t => {
  const run = skipDeleted(async () => ({ result: 1 }), async () => {
    throw new Error('nobody asks')
  })

  t.strictSame(await run(jobOf('deleted')), { result: 1 })
})
