import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { mustBeZeroOfTrade, tradeUnderFaults } from './trade.ts'

// A short version of `npm run chaos -- trade`, without the faults after which platforms rest.
t.test('after a minute of trade, nothing differs silently and nothing is reported that does not differ', async t => {
  const [mode = 'embedded'] = availableModes(process.env).toReversed()
  const { counts, explanations } = await tradeUnderFaults({
    mode,
    environment: process.env,
    minutes: 1,
    seed: 47
  })

  const zeros = Object.fromEntries(mustBeZeroOfTrade.map(name => [name, 0]))
  t.match(counts, zeros, explanations.join('\n'))
  const { orders = 0, shipped = 0, typedLater = 0, inShop } = counts
  t.ok(orders > 5 && shipped > 5 && typedLater > 2 && inShop > 10, JSON.stringify(counts))
})
