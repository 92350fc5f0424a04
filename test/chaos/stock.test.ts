import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { mustBeZeroAtA } from './stock-at-a.ts'
import { changeStockUnderFaults, mustBeZero } from './stock.ts'

const zerosOf = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 0]))
const zeros = zerosOf(mustBeZero)

// Short versions of `npm run chaos -- stock`. Only the embedded state has a kill: there a new
// process knows at once what a killed process left.
t.test('stock converges despite lost, repeated, delayed and shuffled webhooks and a killed hub', async t => {
  // The pauses let offers change while the hub writes them. Without them, the hub would see only
  // the last change.
  const pace = { changes: 60, variants: 4, pauseMs: 200 }
  const { counts, explanations } = await changeStockUnderFaults({
    mode: 'embedded',
    environment: process.env,
    ...pace,
    kills: 1,
    seed: 11
  })

  t.match(counts, { changes: 60, kills: 1, ...zeros }, explanations.join('\n'))
  t.ok(counts.dropped > 0 && counts.sent > 0 && counts.writes > 4, JSON.stringify(counts))
})

t.test('stock converges at two marketplaces, also at the one that applies commands later', async t => {
  const [mode = 'embedded'] = availableModes(process.env).toReversed()
  const { counts, atA, explanations } = await changeStockUnderFaults({
    mode,
    environment: process.env,
    changes: 20,
    variants: 5,
    kills: 0,
    seed: 13,
    markets: 'a,b'
  })

  t.match(counts, { changes: 20, ...zeros }, explanations.join('\n'))
  t.match(atA, zerosOf(mustBeZeroAtA), explanations.join('\n'))
  t.ok(atA !== undefined && atA.writes > 5 && atA.refreshes > 0, JSON.stringify(atA))
})
