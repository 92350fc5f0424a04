import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createClaims } from '../../../src/jobs/queue/claim.ts'
import { returnSilentJobs } from '../../../src/jobs/queue/store.ts'
import {
  createGate,
  ended,
  enqueueOne,
  kinds,
  makePlace,
  openJobs,
  openJobsFor,
  read,
  stateJob,
  type Jobs,
  type Place
} from '../support.ts'

/**
 * Starts another process on the same database and kills it when it runs a job. Returns the id of
 * this job.
 */
async function killWhileRunning (place: Place): Promise<string> {
  const child = spawn(process.execPath, [
    '--conditions=@linker/source',
    fileURLToPath(new URL('crash-child.ts', import.meta.url)),
    place.dataDirectory,
    ...(place.databaseUrl === undefined ? [] : [place.databaseUrl])
  ], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => {
      throw new Error('the worker ended by itself')
    })
  ])
  child.kill('SIGKILL')
  await exited
  return String(line)
}

/**
 * Makes the heartbeat of each claimed job old, and puts these jobs back into the queue like the
 * hub.
 */
async function lapse ({ database }: Jobs): Promise<void> {
  await database.query("update jobs set heartbeat_at = now() - interval '1 hour' where state = 'running'")
  await returnSilentJobs(database.query, 20)
}

for (const kind of kinds(t)) {
  t.test(`crashes, ${kind}`, async t => {
    t.test('a job whose worker was killed runs again, and the crash is no failed attempt', async t => {
      const place = await makePlace(kind)
      t.teardown(() => place.remove())
      const before = await openJobs(place)
      const id = await enqueueOne(before, stateJob('a'))
      await before.close()

      const running = await killWhileRunning(place)
      const jobs = await openJobs(place)
      t.teardown(() => jobs.close())
      const left = await read(jobs, id)
      if (kind === 'postgres') await lapse(jobs)
      jobs.startWorker(async () => ({ result: 'second run' }))
      const [record] = await ended(jobs, [id])

      t.equal(running, id)
      t.equal(
        left.status,
        kind === 'postgres' ? 'running' : 'queued',
        'nobody else can hold a job of an embedded database'
      )
      t.match(record, { status: 'succeeded', result: 'second run' })
      t.strictSame(await jobs.database.query('select crashes, failures from jobs'), [{ crashes: 1, failures: 0 }])
    })

    t.test('the fourth crash ends a job', async t => {
      const jobs = await openJobsFor(t, kind)
      const gate = createGate()
      const id = await enqueueOne(jobs, stateJob('a'))

      for (let crash = 1; crash <= 4; crash++) {
        jobs.startWorker(gate.handler, { stopMs: 0, concurrency: 1 })
        await gate.reached(crash)
        await lapse(jobs)
      }
      jobs.startWorker(gate.handler)
      const [record] = await ended(jobs, [id])

      t.equal(gate.started.length, 4)
      t.match(record, {
        status: 'dead',
        problem: { code: 'LNK_JOB_CRASHED', message: 'the worker died 4 times while this job ran' }
      })
    })

    t.test('jobs that a worker died with run one after the other, among others', async t => {
      const jobs = await openJobsFor(t, kind)
      const gate = createGate()
      const ids = await Promise.all(['a', 'b', 'c'].map(object => enqueueOne(jobs, stateJob(object))))
      const lost = await createClaims(jobs.database).jobs({ slots: 3, perConnection: 3 })
      await lapse(jobs)
      jobs.startWorker(gate.handler)
      await gate.reached(1)
      const others = await Promise.all(['d', 'e'].map(object => enqueueOne(jobs, stateJob(object))))
      await gate.reached(3)
      const begun = gate.started.map(({ id }) => id)
      gate.open()
      const records = await ended(jobs, [...ids, ...others])

      t.equal(lost.length, 3)
      t.strictSame(begun.slice(1).toSorted(), others.toSorted(), 'one of three suspects, and what is none')
      t.equal(records.filter(({ status }) => status === 'succeeded').length, 5)
      t.strictSame(
        await jobs.database
          .query('select crashes, count(*)::integer as jobs from jobs group by crashes order by crashes'),
        [{ crashes: 0, jobs: 2 }, { crashes: 1, jobs: 3 }]
      )
    })
  })
}
