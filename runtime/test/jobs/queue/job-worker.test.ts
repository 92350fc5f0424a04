import { TransientError } from '@linker/sdk'
import { mock } from 'node:test'
import t from 'tap'
import { createGate, ended, enqueueOne, failuresOf, kinds, openJobsFor, read, stateJob } from '../support.ts'

/** The worker looks for jobs by itself after this time. */
const pollMs = 1_000

/** Lets a worker that was woken look for free slots, which it does in a later turn. */
async function settle (): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
}

for (const kind of kinds(t)) {
  t.test(`working, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)

    t.test(
      'a handler that ignores its deadline is given up: its slot is free, its adapter is named, the job is ' +
        'tried again',
      async t => {
        const finished = Promise.withResolvers<void>()
        let runs = 0
        jobs.startWorker(async job => {
          runs += 1
          if (job.payload.object !== 'stuck' || runs > 1) return {}
          job.servedBy('mktb@1.0.0')
          await finished.promise
          return { result: 'too late' }
        }, { concurrency: 1, deadlineMs: 30, graceMs: 30, random: () => 0 })

        const [stuck] = await ended(jobs, [await enqueueOne(jobs, stateJob('stuck'))])
        finished.resolve()

        t.match(stuck, {
          status: 'succeeded',
          result: null,
          attempts: [{ error: { code: 'LNK_JOB_DEADLINE', message: 'the run took longer than 30 ms' } }, {}]
        })
        t.match(jobs.log.entries.filter(({ level }) => level === 'error'), [{
          fields: { adapter: 'mktb@1.0.0', jobType: 'state.sync' },
          message: 'a handler did not end at its deadline; the worker no longer waits for it'
        }])
      }
    )

    t.test('a run needs its slot only for its handler, and at most twice as many run as slots', async t => {
      const stored = Promise.withResolvers<void>()
      const bothConcluded = Promise.withResolvers<void>()
      let [concluded, claims] = [0, 0]
      const database: typeof jobs.database = {
        ...jobs.database,
        query (text, values) {
          claims += 1
          return jobs.database.query(text, values)
        },
        async transaction (work) {
          concluded += 1
          if (concluded === 2) {
            claims = 0
            bothConcluded.resolve()
          }
          await stored.promise
          return jobs.database.transaction(work)
        }
      }
      mock.timers.enable({ apis: ['setInterval'] })
      t.teardown(() => {
        mock.timers.reset()
      })
      jobs.startWorker(async () => ({ effects: async () => undefined }), { concurrency: 1, database })
      const ids = (await jobs.enqueueJobs(['a', 'b', 'c'].map(name => stateJob(name)))).map(({ id }) => id)

      await bothConcluded.promise
      await settle()
      mock.timers.tick(pollMs)
      await settle()
      t.equal(claims, 0, 'neither the end of a handler nor the look every second claims the third job')
      stored.resolve()

      t.match(await ended(jobs, ids), [{ status: 'succeeded' }, { status: 'succeeded' }, { status: 'succeeded' }])
    })

    t.test('while most of 20 slots are busy, one claim takes all that become free within 20 ms', async t => {
      const [slots, freed] = [20, 5]
      const ends: (() => void)[] = []
      const [busy, refilled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let [claims, nowMs] = [0, 0]
      mock.method(performance, 'now', () => nowMs)
      t.teardown(() => {
        mock.restoreAll()
      })
      const ids = (await jobs.enqueueJobs(Array.from({ length: slots + freed }, (_, index) => stateJob(String(index)))))
        .map(({ id }) => id)
      jobs.startWorker(async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        if (ends.push(resolve) === slots) busy.resolve()
        if (ends.length === slots + freed) refilled.resolve()
        await promise
        return {}
      }, {
        concurrency: slots,
        // A run counts until its end is stored.
        perConnection: 2 * slots,
        async giveWay () {
          claims += 1
        }
      })
      await busy.promise
      t.equal(claims, 1)

      // The worker now pauses for 19 ms. The timers of the test start before and are shorter, so
      // Node calls them first, however busy the machine is. It calls timers of one length one after
      // the other: a pause of 20 ms could end too early, with a timer that stores ends.
      nowMs = 1
      for (const [index, end] of ends.slice(1, freed).entries()) setTimeout(end, 4 * (index + 1))
      ends[0]?.()
      await refilled.promise
      t.equal(claims, 2)

      for (const end of ends) end()
      await ended(jobs, ids)
    })

    t.test('the signal of a run aborts at its deadline', async t => {
      let runs = 0
      jobs.startWorker(async ({ signal }) => {
        runs += 1
        if (runs > 1) return {}
        // The error with which an aborted call of an adapter ends.
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new TransientError('stopped', { cause: signal.reason }))
          })
        })
        return {}
      }, { deadlineMs: 30, graceMs: 60_000, random: () => 0 })

      const [record] = await ended(jobs, [await enqueueOne(jobs, stateJob('a'))])

      t.match(record?.attempts, [{ error: { code: 'LNK_JOB_DEADLINE' } }, {}])
    })

    t.test('stop() waits for runs that heed their signal and puts back others; no attempt is lost', async t => {
      const gate = createGate()
      const worker = jobs.startWorker(async job => {
        void gate.handler(job)
        if (job.payload.object === 'deaf') await new Promise(() => undefined)
        await new Promise((_resolve, reject) => {
          job.signal.addEventListener('abort', () => {
            reject(new TransientError('stopped'))
          })
        })
        return {}
      }, { stopMs: 50 })
      const ids = (await jobs.enqueueJobs([stateJob('deaf'), stateJob('heeds')])).map(({ id }) => id)
      await gate.reached(2)

      await worker.stop()
      const stopped = await Promise.all(ids.map(id => read(jobs, id)))
      jobs.startWorker(async () => ({}))
      await ended(jobs, ids)

      t.match(stopped, [{ status: 'queued', attempts: { length: 0 } }, { status: 'queued', attempts: { length: 0 } }])
      t.strictSame(await Promise.all(ids.map(id => failuresOf(jobs, id))), [0, 0])
      t.strictSame(await jobs.database.query('select crashes from jobs'), [{ crashes: 0 }, { crashes: 0 }])
    })

    t.test('stop() stores the success of a run that ends in time', async t => {
      const gate = createGate({ result: 'in time' })
      const worker = jobs.startWorker(gate.handler)
      const id = await enqueueOne(jobs, stateJob('a'))
      await gate.reached(1)

      const stopped = worker.stop()
      gate.open()
      await stopped

      t.match(await read(jobs, id), { status: 'succeeded', result: 'in time' })
    })

    t.test('a stopped worker takes no more jobs', async t => {
      const worker = jobs.startWorker(async () => ({}))
      await worker.stop()

      const id = await enqueueOne(jobs, stateJob('a'))
      await new Promise(setImmediate)

      t.equal((await read(jobs, id)).status, 'queued')
    })
  })
}
