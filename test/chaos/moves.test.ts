import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { restoreUnderLoad, transferUnderLoad } from './moves.ts'
import { mustBeZeroOfMarket, mustBeZeroOfOrders } from './orders.ts'

const zerosOf = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 0]))
const zeros = zerosOf(mustBeZeroOfMarket)
const environment = process.env
const [target = 'embedded'] = availableModes(environment).toReversed()

// Short versions of `npm run chaos -- restore transfer`.
t.test('a hub that is lost under load goes on from its backup, and no order is made twice', async t => {
  const { counts, markets, explanations } = await restoreUnderLoad({
    mode: target,
    target: 'embedded',
    environment,
    orders: 16,
    longestPauseMs: 600,
    variants: 5,
    seed: 41
  })

  t.match(counts, zerosOf(mustBeZeroOfOrders), explanations.join('\n'))
  t.match(markets, [{ name: 'B', counts: { orders: 16, ...zeros } }], explanations.join('\n'))
  t.ok(counts.shopOrdersAtLoss > counts.shopOrdersAtBackup, JSON.stringify(counts))
})

t.test('an embedded hub goes on in PostgreSQL with its orders and open jobs', {
  skip: target === 'embedded' && 'needs PostgreSQL'
}, async t => {
  const { counts, markets, explanations } = await transferUnderLoad({
    target,
    environment,
    orders: 16,
    longestPauseMs: 600,
    variants: 5,
    seed: 42
  })

  t.match(counts, zerosOf(mustBeZeroOfOrders), explanations.join('\n'))
  t.match(markets, [{ name: 'B', counts: { orders: 16, ...zeros } }], explanations.join('\n'))
  t.ok(counts.openJobs > 0, JSON.stringify(counts))
})
