import t from 'tap'
import { stateOf } from '../../console/rules/connection-state.ts'
import { firstSteps } from '../../console/rules/first-steps.ts'
import { commandOf } from '../../console/rules/keys.ts'

t.test('the first steps follow the way of a quantity', t => {
  const shop = { isShop: true, isMarketplace: false }
  const market = { isShop: false, isMarketplace: true }
  const done = (facts: Parameters<typeof firstSteps>[0]): boolean[] => firstSteps(facts).map(({ isDone }) => isDone)

  t.strictSame(done({ connections: [], hasLinkedOffer: false, hasStockWrite: false }), [false, false, false, false])
  t.strictSame(done({ connections: [shop], hasLinkedOffer: false, hasStockWrite: false }), [true, false, false, false])
  t.strictSame(done({ connections: [shop, market], hasLinkedOffer: true, hasStockWrite: true }), [
    true,
    true,
    true,
    true
  ])
  t.end()
})

t.test('the state of a connection is the gravest thing that stops it', t => {
  const well = { status: 'active', statusReason: null, pauses: [], breaker: null }

  t.match(stateOf(well), { name: 'active' })
  t.match(stateOf({ ...well, breaker: {} }), { name: 'platform fails', tone: 'warn' })
  t.match(stateOf({ ...well, breaker: {}, pauses: [{}] }), { name: 'paused' })
  t.match(stateOf({ ...well, pauses: [{}], status: 'error', statusReason: 'refused' }), {
    name: 'error',
    title: 'refused'
  })
  t.end()
})

t.test('a key moves, and none of them changes anything at the hub', t => {
  t.strictSame(commandOf('j', false), { kind: 'next' })
  t.strictSame(commandOf('j', true), { kind: 'go', href: '/console/jobs' })
  t.strictSame(commandOf('g', false), { kind: 'wait' })
  t.equal(commandOf('x', false), undefined)
  t.equal(commandOf('toString', true), undefined)
  t.end()
})
