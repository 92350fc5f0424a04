import t from 'tap'
import { fullestMode } from '../support/modes.ts'
import type { Spell } from './throttled-market.ts'
import { sendToThrottled } from './throttled.ts'

const spells: readonly Spell[] = [['works', 1], ['asks for a pause', 1]]

// A short version of `npm run chaos -- throttled`. It measures no time. It has no failures: they
// would open the circuit breaker for half a minute, or not, as fast as the machine is.
t.test('two adapter versions keep the budget together, and no job loses an attempt by a wait', async t => {
  const { counts, explanations } = await sendToThrottled({
    mode: fullestMode(process.env),
    environment: process.env,
    jobs: 70,
    spells
  })

  t.match(counts, { jobs: 70, succeeded: 70, dead: 0, excess: 0, attemptsLost: 0 }, explanations.join('\n'))
  t.ok(counts.byFirst > 0 && counts.bySecond > 0 && counts.answered429 > 0, JSON.stringify(counts))
})
