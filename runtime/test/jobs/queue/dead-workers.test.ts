import { mock } from 'node:test'
import t from 'tap'
import type { Database } from '../../../src/database/database.ts'
import { watchForDeadWorkers } from '../../../src/jobs/queue/dead-workers.ts'
import { recordingLog } from '../support.ts'

const lookEveryMs = 10_000

t.beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval'] })
})
t.afterEach(() => {
  mock.timers.reset()
})

/**
 * A database that writes down after how many seconds of silence it returns jobs, and whom it
 * notifies. `answer` gives the jobs that each statement returns.
 */
function recordingDatabase (mode: Database['mode'], answer: () => Promise<object[]>) {
  const done: unknown[] = []
  return {
    done,
    mode,
    async query<Row extends object> (_text: string, values: readonly unknown[] = []): Promise<Row[]> {
      done.push(...values)
      return await answer() as Row[]
    },
    notify (channel: string) {
      done.push(channel)
    }
  }
}

/** Lets the promises of a look settle. */
const settle = (): Promise<void> => new Promise(setImmediate)

t.test('embedded, claimed jobs return at the start: no other process can run them', async t => {
  const database = recordingDatabase('embedded', async () => [])
  const watch = await watchForDeadWorkers({ database, log: recordingLog() })
  t.teardown(() => watch.stop())

  t.strictSame(database.done, [0])
})

t.test('on a server, jobs return after 20 silent seconds, and workers hear of it', async t => {
  const returned: { id: string }[] = []
  const database = recordingDatabase('postgres', async () => returned.splice(0))
  const watch = await watchForDeadWorkers({ database, log: recordingLog() })
  t.strictSame(database.done, [])

  mock.timers.tick(lookEveryMs)
  await settle()
  t.strictSame(database.done, [20], 'nobody is woken for nothing')
  returned.push({ id: 'a' })
  mock.timers.tick(lookEveryMs)
  await settle()
  t.strictSame(database.done, [20, 20, 'jobs'])

  await watch.stop()
  mock.timers.tick(10 * lookEveryMs)
  await settle()
  t.equal(database.done.length, 3)
})

t.test('a look that fails is logged, and the next one comes', async t => {
  const log = recordingLog()
  const database = recordingDatabase('postgres', () => Promise.reject(new Error('away')))
  const watch = await watchForDeadWorkers({ database, log })
  t.teardown(() => watch.stop())

  mock.timers.tick(lookEveryMs)
  await settle()
  mock.timers.tick(lookEveryMs)
  await settle()

  t.strictSame(log.entries.map(({ level }) => level), ['warn', 'warn'])
})
