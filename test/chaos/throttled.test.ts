import t from 'tap'
import { fullestMode } from '../support/modes.ts'
import type { Spell } from './throttled-market.ts'
import { sendToThrottled } from './throttled.ts'

const spells: readonly Spell[] = [['works', 1], ['fails', 0.3], ['works', 1.5], ['asks for a pause', 1]]

// A short version of `npm run chaos -- throttled`. It is too short for a circuit breaker, which
// opens for half a minute, and it measures no time.
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
