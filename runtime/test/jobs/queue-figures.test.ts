import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { createQueueFigures } from '../../src/jobs/queue-figures.ts'
import { listJobs } from '../../src/jobs/store.ts'
import { figures } from '../observability/support.ts'
import { createGate, kinds, openJobsFor, stateJob } from './support.ts'

/** Makes a database whose answers come from the test. */
function createAsked (): { query: Query, asked: () => number, answer(row: object | Error): void } {
  let open: ((row: object | Error) => void)[] = []
  let count = 0
  return {
    asked: () => count,
    answer (row) {
      for (const give of open.splice(0)) give(row)
    },
    query: <Row extends object>() =>
      new Promise<Row[]>((resolve, reject) => {
        count += 1
        open = [...open, row => {
          if (row instanceof Error) reject(row)
          else resolve([row as Row])
        }]
      })
  }
}

for (const kind of kinds(t)) {
  t.test(`the figures match the jobs in the ledger, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    t.test('jobs in every state', async t => {
      const read = createQueueFigures({ query: jobs.database.query, nowMs: () => 0 })
      t.strictSame(await createQueueFigures({ query: jobs.database.query, nowMs: () => 0 })(), {
        queued: 0,
        waiting: 0,
        running: 0,
        oldestSeconds: 0
      })

      const [active, broken] = [await jobs.addConnection(), await jobs.addConnection('error')]
      const gate = createGate()
      const worker = jobs.startWorker(gate.handler)
      await jobs.enqueueJobs([stateJob('running')])
      await gate.reached(1)
      const stopped = worker.stop()
      t.teardown(async () => {
        gate.open()
        await stopped
      })
      await jobs.enqueueJobs([
        ...['a', 'b', 'c'].map(object => stateJob(object, { connectionId: active })),
        stateJob('of the hub'),
        stateJob('a', { connectionId: broken }),
        stateJob('later', { connectionId: active })
      ])
      await jobs.database
        .query("update jobs set due_at = now() + interval '1 hour' where object_key like '%later'")
      await jobs.database
        .query("update jobs set due_at = now() - interval '90 seconds' where object_key like '%hub'")
      await jobs.database.query("update jobs set due_at = now() - interval '1 day' where connection_id = $1", [
        broken
      ])

      const found = await read()
      for (const status of ['queued', 'waiting', 'running'] as const) {
        t.equal(found?.[status], (await listJobs(jobs.database.query, { status, limit: 100 })).length, status)
      }
      t.match(found, { queued: 4, waiting: 2, running: 1 })
      t.ok(
        (found?.oldestSeconds ?? 0) >= 90 && (found?.oldestSeconds ?? 0) < 3_600,
        'what waits for its connection does not count'
      )
    })
  })
}

t.test('many scrapes at once send one statement, and its answer serves for five seconds', async t => {
  const clock = { nowMs: 0 }
  const { query, asked, answer } = createAsked()
  const read = createQueueFigures({ query, nowMs: () => clock.nowMs })
  const first = Promise.all(Array.from({ length: 20 }, read))
  answer(figures)

  t.strictSame(await first, Array.from({ length: 20 }, () => figures))
  clock.nowMs = 4_999
  t.strictSame(await read(), figures)
  t.equal(asked(), 1)
  clock.nowMs = 5_000
  const second = read()
  answer({ ...figures, queued: 4 })
  t.match(await second, { queued: 4 })
  t.equal(asked(), 2)
})

t.test('the longer a statement takes, the less often it is repeated', async t => {
  const clock = { nowMs: 0 }
  const { query, asked, answer } = createAsked()
  const read = createQueueFigures({ query, nowMs: () => clock.nowMs })
  const first = read()
  clock.nowMs = 1_000
  answer(figures)
  await first

  clock.nowMs = 50_999
  await read()
  t.equal(asked(), 1)
  clock.nowMs = 51_000
  const second = read()
  answer(figures)
  await second
  t.equal(asked(), 2)
})

t.test('a statement that fails late is repeated soon', async t => {
  const clock = { nowMs: 0 }
  const { query, asked, answer } = createAsked()
  const read = createQueueFigures({ query, nowMs: () => clock.nowMs })
  const first = read()
  clock.nowMs = 9_000
  answer(new Error('canceling statement due to statement timeout'))
  t.equal(await first, undefined)

  clock.nowMs = 14_000
  const second = read()
  answer(figures)
  t.strictSame(await second, figures)
  t.equal(asked(), 2)
})

t.test('a database that hangs delays one scrape a little; its late answer serves the next', async t => {
  const { query, asked, answer } = createAsked()
  const read = createQueueFigures({ query, nowMs: () => 0, timeoutMs: 1 })

  t.equal(await read(), undefined)
  t.equal(await read(), undefined)
  t.equal(asked(), 1)
  answer(figures)
  await new Promise(setImmediate)
  t.strictSame(await read(), figures)
})

t.test('a database that fails is asked again only later, whether it rejects or throws', async t => {
  const clock = { nowMs: 0 }
  let asked = 0
  const failures: Query[] = [async () => {
    throw new Error('away')
  }, () => {
    throw new TypeError('not there yet')
  }]
  for (const fail of failures) {
    const read = createQueueFigures({
      nowMs: () => clock.nowMs,
      query: async (text, values) => {
        asked += 1
        return fail(text, values)
      }
    })
    const readPlain = createQueueFigures({
      nowMs: () => clock.nowMs,
      query: (text, values) => {
        asked += 1
        return fail(text, values)
      }
    })
    for (const each of [read, readPlain]) {
      asked = 0
      clock.nowMs = 0
      t.strictSame([await each(), await each()], [undefined, undefined])
      t.equal(asked, 1)
      clock.nowMs = 5_000
      t.equal(await each(), undefined)
      t.equal(asked, 2)
    }
  }
})
