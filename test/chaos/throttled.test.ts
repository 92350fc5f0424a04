import t from 'tap'
import { fullestMode } from '../support/modes.ts'
import type { Spell } from './throttled-market.ts'
import { sendToThrottled } from './throttled.ts'

/** So little that a machine that does other things sends in time. */
const budget = { ratePerSecond: 5, burst: 5 }
/**
 * The whole machine may be busy: some requests arrive later than the hub allows for. If each
 * process kept a budget of its own, there would be more than twice as many.
 */
const mostExcess = 4
const spells: readonly Spell[] = [['works', 5], ['asks for a pause', 1]]

// A short version of `npm run chaos -- throttled`. It measures no time. It has no failures: they
// would open the circuit breaker for half a minute, or not, as fast as the machine is.
t.test('two adapter versions keep the budget together, and no job loses an attempt by a wait', async t => {
  const { counts, explanations } = await sendToThrottled({
    mode: fullestMode(process.env),
    environment: process.env,
    jobs: 40,
    // No attempt may fail because the machine is slow.
    sending: { budget, timeoutMs: 60_000 },
    spells
  })
  const whole = [JSON.stringify(counts), ...explanations].join('\n')

  t.match(counts, { succeeded: counts.jobs, dead: 0, attemptsLost: 0 }, whole)
  t.ok(counts.excess <= mostExcess, whole)
  t.ok(counts.jobs >= 40 && counts.byFirst > 0 && counts.bySecond > 0 && counts.answered429 > 0, whole)
})
