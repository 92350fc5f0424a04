import { ConfigurationError, NotFoundError, RateLimitedError, RejectedError, TransientError } from '@linker/sdk'
import t from 'tap'
import { CredentialsRefusedError } from '../../../src/jobs/refused-credentials.ts'
import { attempted, commandJob, ended, enqueueOne, failuresOf, kinds, openJobsFor, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`failures, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs

    /** Returns the delay of a job after its last attempt, in milliseconds. */
    async function delayOf (id: string): Promise<number> {
      const [row] = await database.query<{ ms: number }>(
        `
        select round(1000 * extract(epoch
          from date_trunc('milliseconds', due_at) - (attempts -> -1 ->> 'finishedAt')::timestamptz
        ))::float8 as ms
        from jobs
        where id = $1`,
        [id]
      )
      return row?.ms ?? Number.NaN
    }

    t.test('a rejected job is dead at once, with the reason and the fields', async t => {
      const fields = [{ pointer: '/price', code: 'too-low', message: 'below 1' }]
      jobs.startWorker(async () => {
        throw new RejectedError('the offer is invalid', { fields })
      })

      const id = await enqueueOne(jobs, stateJob('a'))
      const [record] = await ended(jobs, [id])

      t.match(record, {
        status: 'dead',
        problem: { code: 'LNK_ADAPTER_REJECTED', message: 'the offer is invalid', fields },
        attempts: [{ error: { code: 'LNK_ADAPTER_REJECTED' } }]
      })
      t.strictSame(await database.query('select * from jobs where state is not null'), [])
    })

    for (const error of [new NotFoundError('no such product'), new ConfigurationError('a permission is missing')]) {
      t.test(`${error.code} is dead at once`, async t => {
        jobs.startWorker(async () => {
          throw error
        })

        const id = await enqueueOne(jobs, commandJob('a'))
        const [record] = await ended(jobs, [id])

        t.match(record, { status: 'dead', problem: { code: error.code, message: error.message } })
        t.equal(record?.attempts.length, 1)
      })
    }

    t.test('a job of an unknown type is dead at once', async t => {
      jobs.startWorker(async () => ({}), { findHandler: () => undefined })

      const [record] = await ended(jobs, [await enqueueOne(jobs, stateJob('a', { jobType: 'nobody.knows' }))])

      t.match(record, {
        status: 'dead',
        problem: { code: 'LNK_JOB_TYPE_UNKNOWN', message: "no handler for job type 'nobody.knows'" }
      })
    })

    t.test('a job whose adapter is not loaded waits and uses no attempt', async t => {
      let isLoaded = false
      jobs.startWorker(async () => ({}), { findHandler: () => isLoaded ? async () => ({}) : 'later' })
      const id = await enqueueOne(jobs, stateJob('a'))

      const waiting = await attempted(jobs, id, 1)
      isLoaded = true
      await jobs.makeDue()
      const [record] = await ended(jobs, [id])

      t.match(waiting, { status: 'waiting', problem: { code: 'LNK_ADAPTER_MISSING' } })
      t.equal(record?.status, 'succeeded')
      t.equal(await failuresOf(jobs, id), 0)
    })

    t.test('a passing fault is tried again with a growing delay, and the tenth ends the job', async t => {
      jobs.startWorker(async () => {
        throw new TransientError('the platform is down')
      })
      const id = await enqueueOne(jobs, stateJob('a'))

      const delays: number[] = []
      for (let count = 1; count < 10; count++) {
        t.equal((await attempted(jobs, id, count)).status, 'waiting')
        delays.push(await delayOf(id))
        await jobs.makeDue()
      }
      const [record] = await ended(jobs, [id])

      t.strictSame(delays, delays.map((_, failures) => 2_000 * 2 ** failures))
      t.match(record, { status: 'dead', problem: { code: 'LNK_ADAPTER_TRANSIENT', message: 'the platform is down' } })
      t.equal(record?.attempts.length, 10)
    })

    t.test('a job is tried again after an error of an unknown class', async t => {
      let runs = 0
      jobs.startWorker(async () => {
        runs += 1
        if (runs < 3) throw new TypeError('a bug')
        return {}
      }, { random: () => 0 })

      const [record] = await ended(jobs, [await enqueueOne(jobs, stateJob('a'))])

      t.match(record?.attempts, [{ error: { code: 'LNK_JOB_FAILED', message: 'a bug' } }, {
        error: { code: 'LNK_JOB_FAILED' }
      }, {}])
      t.match(record, { status: 'succeeded', problem: null })
    })

    t.test('a rate limit puts a job off to the time it names, capped at an hour, and uses no attempt', async t => {
      let isLimited = true
      jobs.startWorker(async job => {
        if (isLimited) {
          throw new RateLimitedError(
            'slow down',
            job.payload.object === 'long'
              ? { retryAfterMs: 86_400_000 }
              : job.payload.object === 'named'
              ? { retryAfterMs: 90_000 }
              : {}
          )
        }
        return {}
      })
      const ids = (await jobs.enqueueJobs([stateJob('named'), stateJob('unnamed'), stateJob('long')])).map(({ id }) =>
        id
      )
      await Promise.all(ids.map(id => attempted(jobs, id, 1)))

      const delays = await Promise.all(ids.map(delayOf))
      isLimited = false
      await jobs.makeDue()
      await ended(jobs, ids)

      t.strictSame(delays, [90_000, 30_000, 3_600_000])
      t.strictSame(await Promise.all(ids.map(id => failuresOf(jobs, id))), [0, 0, 0])
    })

    t.test('refused credentials suspend the connection; its jobs wait without losing an attempt', async t => {
      const connectionId = await jobs.addConnection()
      const failures: string[] = []
      let isRefused = true
      jobs.startWorker(async () => {
        if (isRefused) {
          throw new CredentialsRefusedError('the token was revoked', { connectionId, credentialsVersion: 'db:a:1' })
        }
        return {}
      }, {
        async onAuthenticationFailure (refused, message) {
          failures.push(`${refused.connectionId} ${refused.credentialsVersion} ${message}`)
          await jobs.setStatus(refused.connectionId, 'error')
        }
      })
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      const suspended = await attempted(jobs, id, 1)
      const later = await enqueueOne(jobs, stateJob('b', { connectionId }))

      isRefused = false
      await jobs.setStatus(connectionId, 'active')
      const records = await ended(jobs, [id, later])

      t.strictSame(failures, [`${connectionId} db:a:1 the token was revoked`])
      t.match(suspended, { status: 'waiting', problem: { code: 'LNK_ADAPTER_AUTHENTICATION' } })
      t.match(records, [{ status: 'succeeded' }, { status: 'succeeded' }])
      t.equal(await failuresOf(jobs, id), 0)
    })

    t.test('a job that had former credentials runs again soon with the present ones and loses no attempt', async t => {
      const connectionId = await jobs.addConnection()
      let isLate = true
      jobs.startWorker(async () => {
        if (isLate) throw new CredentialsRefusedError('late', { connectionId, credentialsVersion: 'db:a:1' })
        return {}
      })
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      const waiting = await attempted(jobs, id, 1)

      t.match(waiting, { status: 'waiting', problem: { code: 'LNK_ADAPTER_AUTHENTICATION' } })
      t.equal(await delayOf(id), 1_000)
      t.equal(await failuresOf(jobs, id), 0)
      isLate = false
      await jobs.makeDue()
      t.match(await ended(jobs, [id]), [{ status: 'succeeded' }])
    })

    t.test('a job whose connection was disabled meanwhile waits for it', async t => {
      const connectionId = await jobs.addConnection()
      let isDisabled = true
      jobs.startWorker(async () => {
        if (!isDisabled) return {}
        await jobs.setStatus(connectionId, 'disabled')
        throw Object.assign(new Error('disabled'), { code: 'LNK_CONNECTION_DISABLED' })
      })
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      t.equal((await attempted(jobs, id, 1)).status, 'waiting')

      isDisabled = false
      await jobs.setStatus(connectionId, 'active')
      const [record] = await ended(jobs, [id])

      t.equal(record?.status, 'succeeded')
      t.equal(await failuresOf(jobs, id), 0)
    })
  })
}
