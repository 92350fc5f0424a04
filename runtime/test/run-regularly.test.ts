import { mock } from 'node:test'
import t from 'tap'
import { runRegularly } from '../src/run-regularly.ts'

const everyMs = 1_000

t.beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval'] })
})
t.afterEach(() => {
  mock.timers.reset()
})

/** Lets the promises of a run settle. */
const settle = (): Promise<void> => new Promise(setImmediate)

/** Work whose runs the test ends one by one, and the warnings that are logged. */
function gatedWork () {
  const runs: (PromiseWithResolvers<void> & { signal: AbortSignal })[] = []
  const warnings: unknown[] = []
  return {
    runs,
    warnings,
    everyMs,
    warning: 'the work failed',
    run (signal: AbortSignal) {
      const run = { ...Promise.withResolvers<void>(), signal }
      runs.push(run)
      return run.promise
    },
    log: {
      warn (fields: object, message: string) {
        warnings.push({ ...fields, message })
      }
    }
  }
}

t.test('the first run comes after the interval, or at once when it is asked for', async t => {
  const [waiting, asked] = [gatedWork(), gatedWork()]
  runRegularly(waiting)
  runRegularly(asked).runNow()
  t.strictSame([waiting.runs.length, asked.runs.length], [0, 1])

  mock.timers.tick(everyMs)

  t.equal(waiting.runs.length, 1)
})

t.test('a run that takes longer than the interval is the only one meanwhile', async t => {
  const work = gatedWork()
  const { runNow } = runRegularly(work)

  mock.timers.tick(3 * everyMs)
  runNow()
  t.equal(work.runs.length, 1)

  work.runs[0]?.resolve()
  await settle()
  mock.timers.tick(everyMs)
  t.equal(work.runs.length, 2)
})

t.test('a run that fails is logged, and the next one comes', async t => {
  const work = gatedWork()
  const error = new Error('away')
  runRegularly(work)

  mock.timers.tick(everyMs)
  work.runs[0]?.reject(error)
  await settle()
  mock.timers.tick(everyMs)

  t.strictSame(work.warnings, [{ err: error, message: 'the work failed' }])
  t.equal(work.runs.length, 2)
})

t.test('stop() aborts the signal, waits for the run, and lets no other one start', async t => {
  const work = gatedWork()
  const { stop, runNow } = runRegularly(work)
  mock.timers.tick(everyMs)
  let isStopped = false

  const stopped = stop().then(() => {
    isStopped = true
  })
  await settle()
  t.strictSame([work.runs[0]?.signal.aborted, isStopped], [true, false])

  work.runs[0]?.resolve()
  await stopped
  mock.timers.tick(10 * everyMs)
  runNow()
  t.equal(work.runs.length, 1)
})
