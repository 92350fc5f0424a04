import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { mustBeZeroOfMarket, mustBeZeroOfOrders, orderUnderFaults } from './orders.ts'

const zerosOf = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 0]))

// Short versions of `npm run chaos -- orders`. Only the embedded state has a kill: in other modes
// the hub takes over the work of a killed process only after a minute or two.
t.test('every order reaches the shop once despite lost and doubled hooks, lost answers and a kill', async t => {
  const { counts, markets, explanations } = await orderUnderFaults({
    mode: 'embedded',
    environment: process.env,
    orders: 12,
    variants: 5,
    kills: 0,
    killAtOrder: 3,
    seed: 31
  })

  t.match(counts, { kills: 1, ...zerosOf(mustBeZeroOfOrders) }, explanations.join('\n'))
  t.match(markets, [{ name: 'B', counts: { orders: 12, ...zerosOf(mustBeZeroOfMarket) } }], explanations.join('\n'))
  t.ok(counts.hooks > 0 && (markets[0]?.counts.cancelled ?? 0) > 0, JSON.stringify({ counts, markets }))
})

t.test('orders of two marketplaces reach the shop once despite late journals and joint payments', async t => {
  const [mode = 'embedded'] = availableModes(process.env).toReversed()
  const { counts, markets, explanations } = await orderUnderFaults({
    mode,
    environment: process.env,
    orders: 20,
    variants: 5,
    kills: 0,
    lostAnswers: 0,
    seed: 32,
    markets: 'a,b'
  })

  t.match(counts, zerosOf(mustBeZeroOfOrders), explanations.join('\n'))
  const zeros = zerosOf(mustBeZeroOfMarket)
  t.match(markets, [{ name: 'B', counts: zeros }, { name: 'A', counts: zeros }], explanations.join('\n'))
  const isBusy = markets.every(({ counts: { orders } }) => orders > 5)
  const isEventful = markets.some(({ counts: { cancelled, joined } }) => cancelled + joined > 0)
  t.ok(isBusy && isEventful, JSON.stringify(markets))
})
