import fc from 'fast-check'
import t from 'tap'
import { mostInOneStep, nextStep, paceOf, type OpenRedrive } from '../../../src/jobs/redrive/next-step.ts'

const redrive = (more: Partial<OpenRedrive> = {}): OpenRedrive => ({
  state: 'running',
  goal: null,
  perMinute: null,
  restMs: 0,
  ...more
})
const figures = (retried: number, inProgress: number, remaining: number) => ({ retried, inProgress, remaining })

t.test('it runs jobs again, in steps, until none is left', async t => {
  t.strictSame(nextStep(redrive(), figures(0, 0, 3)), { kind: 'retry', most: 3 })
  t.strictSame(nextStep(redrive(), figures(0, 0, 10_000)), { kind: 'retry', most: mostInOneStep })
  t.strictSame(nextStep(redrive(), figures(500, 500, 1)), { kind: 'retry', most: 1 })
})

t.test('it is done when the last job has ended', async t => {
  t.strictSame(nextStep(redrive(), figures(3, 2, 0)), { kind: 'look', afterMs: 1_000 })
  t.strictSame(nextStep(redrive(), figures(3, 0, 0)), { kind: 'end', state: 'done' })
  t.strictSame(nextStep(redrive(), figures(0, 0, 0)), { kind: 'end', state: 'done' }, 'all were skipped')
})

t.test('the first jobs end before it waits for somebody', async t => {
  const trying = redrive({ goal: 2 })
  t.strictSame(nextStep(trying, figures(0, 0, 9)), { kind: 'retry', most: 2 })
  t.strictSame(nextStep(trying, figures(1, 1, 8)), { kind: 'retry', most: 1 }, 'one of them was skipped')
  t.strictSame(nextStep(trying, figures(2, 1, 7)), { kind: 'look', afterMs: 1_000 })
  t.strictSame(nextStep(trying, figures(2, 0, 7)), { kind: 'end', state: 'waiting' })
  t.strictSame(nextStep(trying, figures(2, 0, 0)), { kind: 'end', state: 'done' }, 'none is left to wait for')
})

t.test('a stopped one only waits for the ends of its jobs', async t => {
  t.strictSame(nextStep(redrive({ state: 'stopped' }), figures(5, 2, 9)), { kind: 'look', afterMs: 1_000 })
  t.strictSame(nextStep(redrive({ state: 'stopped' }), figures(5, 0, 9)), { kind: 'end', state: 'stopped' })
})

t.test('it looks less often how many jobs have ended than few', async t => {
  t.strictSame(nextStep(redrive(), figures(4_000, 4_000, 0)), { kind: 'look', afterMs: 2_000 })
  t.strictSame(nextStep(redrive(), figures(10_000, 10_000, 0)), { kind: 'look', afterMs: 5_000 })
  t.strictSame(nextStep(redrive({ restMs: 60_000 }), figures(1, 1, 9)), { kind: 'look', afterMs: 1_000 })
})

t.test('its rate lets it rest', async t => {
  const slow = redrive({ perMinute: 120 })
  t.strictSame(nextStep(slow, figures(0, 0, 9)), { kind: 'retry', most: 2 })
  t.strictSame(nextStep({ ...slow, restMs: 700 }, figures(2, 2, 7)), { kind: 'look', afterMs: 700 })
  t.strictSame(nextStep({ ...slow, restMs: 700 }, figures(9, 0, 0)), { kind: 'end', state: 'done' })
})

t.test('no rate lets more jobs run again in any minute than it says', async t => {
  t.strictSame(paceOf(null), { most: mostInOneStep, restMs: 0 })
  t.strictSame(paceOf(1), { most: 1, restMs: 60_000 })
  t.strictSame(paceOf(60), { most: 1, restMs: 1_000 })
  fc.assert(fc.property(fc.integer({ min: 1, max: 10_000 }), perMinute => {
    const { most, restMs } = paceOf(perMinute)
    const stepsInOneMinute = Math.ceil(60_000 / restMs)
    t.ok(stepsInOneMinute * most <= perMinute, `${perMinute} a minute`)
    t.ok(stepsInOneMinute * most > perMinute * 0.95 - 1, `${perMinute} a minute is not much slower`)
  }))
})
