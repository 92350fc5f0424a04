import t from 'tap'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { commandJob, drained, kinds, openJobsFor, stateJob } from '../support.ts'

// 16 runs at the same time: in one worker on the embedded database, which admits one process, else
// in four independent workers.
const workersOf = { embedded: 1, postgres: 4 } as const
const slots = 16

const objects = Array.from({ length: 20 }, (_, number) => `object ${number}`)
// So few objects that most events meet a waiting job that is about to start.
const hot = objects.slice(0, 6)

function pick<Item> (items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

async function pause (): Promise<void> {
  for (let turns = Math.floor(Math.random() * 4); turns > 0; turns--) await new Promise(setImmediate)
}

for (const kind of kinds(t)) {
  t.test(`interleaving, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    await jobs.database.query('create table versions (object text primary key, version integer not null)')

    /** Counts runs that overlap on one object. */
    function createWatch (): {
      runs: number,
      overlaps: number,
      during(object: string, work: () => Promise<void>): Promise<void>
    } {
      const busy = new Set<string>()
      const watch = {
        runs: 0,
        overlaps: 0,
        async during (object: string, work: () => Promise<void>) {
          watch.runs += 1
          if (busy.has(object)) watch.overlaps += 1
          busy.add(object)
          await work()
          busy.delete(object)
        }
      }
      return watch
    }

    /** Writes new versions and enqueues in the same transaction, as handlers do. */
    async function writeVersions (transactions: number): Promise<void> {
      for (let written = 0; written < transactions; written++) {
        const touched = [...new Set([pick(hot), pick(hot)])].toSorted()
        await jobs.database.transaction(async transaction => {
          // Lock the rows by name first. PostgreSQL updates rows in their physical order, which
          // each update changes, so two transactions could otherwise wait for each other.
          await transaction.query('select 1 from versions where object = any($1) order by object for update', [touched])
          await transaction.query('update versions set version = version + 1 where object = any($1)', [touched])
          await jobs.enqueueJobs(touched.map(object => stateJob(object)), transaction)
          await pause()
        })
        jobs.database.notify('jobs')
        await pause()
      }
    }

    t.test('with 16 slots the runs of an object never overlap, and the last version is seen', async t => {
      await jobs.database.query('truncate versions')
      await jobs.database.query('insert into versions select unnest($1::text[]), 0', [objects])
      const watch = createWatch()
      const seen = new Map<string, number>()
      for (let worker = 0; worker < workersOf[kind]; worker++) {
        jobs.startWorker(job => {
          const object = String(job.payload.object)
          return watch.during(object, async () => {
            const [row] = await jobs.database.query<{ version: number }>(
              'select version from versions where object = $1',
              [object]
            )
            seen.set(object, Math.max(seen.get(object) ?? 0, row?.version ?? 0))
            await pause()
          }).then(() => ({}))
        }, { concurrency: slots / workersOf[kind] })
      }

      await Promise.all(Array.from({ length: 4 }, () => writeVersions(125)))
      await drained(jobs)

      const versions = await jobs.database.query<
        { object: string, version: number }
      >('select object, version from versions order by object')
      t.strictSame(versions.filter(({ object, version }) => version !== (seen.get(object) ?? 0)), [])
      t.equal(watch.overlaps, 0)
      t.ok(
        watch.runs > 100,
        `${watch.runs} runs for ${versions.reduce((sum, { version }) => sum + version, 0)} versions`
      )
    })

    t.test('1 000 commands on 20 objects in 16 slots never overlap and keep the order of each object', async t => {
      const watch = createWatch()
      const order = new Map<string, number[]>(objects.map(object => [object, []]))
      const requests = Array.from(
        { length: 1_000 },
        (_, number): JobRequest => ({ ...commandJob(pick(objects)), idempotencyKey: `command ${number}` })
      )
        .map((request, number) => ({ ...request, payload: { ...request.payload, number } }))
      for (let worker = 0; worker < workersOf[kind]; worker++) {
        jobs.startWorker(job => {
          const object = String(job.payload.object)
          return watch.during(object, async () => {
            order.get(object)?.push(Number(job.payload.number))
            await pause()
          }).then(() => ({}))
        }, { concurrency: slots / workersOf[kind] })
      }

      for (let from = 0; from < requests.length; from += 50) await jobs.enqueueJobs(requests.slice(from, from + 50))
      await drained(jobs)

      t.equal(watch.runs, 1_000)
      t.equal(watch.overlaps, 0)
      for (const [object, numbers] of order) t.strictSame(numbers, numbers.toSorted((a, b) => a - b), object)
    })
  })
}
