import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { mustBeZeroOfMarket, mustBeZeroOfOrders, orderUnderFaults } from './orders.ts'

const zerosOf = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 0]))

// Short cuts of `npm run chaos -- orders`. Kills are for the embedded state: elsewhere, what a
// killed process left is noticed after a minute or two.
t.test('every order reaches the shop once, although hooks are lost and doubled, answers get lost and the hub is killed', async t => {
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

t.test('orders of two marketplaces for the same variants reach the shop once, although journals are late and doubled and orders are paid together', async t => {
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
  t.match(markets.map(({ name, counts }) => ({ name, ...counts })), [{ name: 'B', ...zerosOf(mustBeZeroOfMarket) }, {
    name: 'A',
    ...zerosOf(mustBeZeroOfMarket)
  }], explanations.join('\n'))
  t.ok(
    markets.every(({ counts: { orders } }) => orders > 5) &&
      markets.some(({ counts: { cancelled, joined } }) => cancelled + joined > 0),
    JSON.stringify(markets)
  )
})
