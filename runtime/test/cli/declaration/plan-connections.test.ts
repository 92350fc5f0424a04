import t from 'tap'
import { planConnections } from '../../../src/cli/declaration/plan-connections.ts'
import type { DeclaredConnection } from '../../../src/cli/declaration/schema.ts'
import { state } from './state.ts'

const plan = (...connections: DeclaredConnection[]) => planConnections({ version: 1, connections }, state)

t.test('a missing connection is created with the credentials that are given beside the declaration', async t => {
  const connections = [{ name: 'New', platformType: 'probe', config: { a: 1 } }]
  const { steps, faults } = planConnections({ version: 1, connections }, state, new Map([['New', 'key']]))

  t.strictSame(faults, [])
  t.match(steps, [{
    object: 'connection',
    name: 'New',
    action: 'create',
    request: { method: 'POST', path: '/connections', body: { name: 'New', credentials: 'key', config: { a: 1 } } }
  }])
})

t.test('members that differ are changed, and others stay', async t => {
  const { steps } = plan({
    name: 'Shop',
    platformType: 'probe',
    capabilities: ['A'],
    config: { prices: { country: 'DE' }, carrier: '2' }
  })

  t.strictSame(steps.map(({ changes }) => changes), [[
    { pointer: '/config/prices/country', from: 'PL', to: 'DE' },
    { pointer: '/config/carrier' },
    { pointer: '/capabilities', from: ['A', 'B'], to: ['A'] }
  ]])
  t.match(steps, [{ request: { method: 'PATCH', path: '/connections/shop-id' } }])
  t.strictSame(plan({ name: 'Shop', platformType: 'probe', capabilities: ['A', 'B'], config: {} }).steps, [])
})

t.test('declared settings of the hub are created, changed and removed', async t => {
  const [creation] =
    plan({ name: 'New', platformType: 'probe', settings: { shipsWithin: 48, orderPollDays: null } }).steps
  const connections = state.connections.map(connection => ({ ...connection, settings: { shipsWithin: 24 } }))
  const declared = { name: 'Shop', platformType: 'probe', settings: { shipsWithin: null, orderPollDays: 30 } }
  const [change] = planConnections({ version: 1, connections: [declared] }, { connections }).steps

  t.match(creation?.request.body, { settings: { shipsWithin: 48 } })
  t.strictSame(change?.request.body, { settings: declared.settings })
  t.strictSame(change?.changes, [
    { pointer: '/settings/shipsWithin', from: 24 },
    { pointer: '/settings/orderPollDays', to: 30 }
  ])
})

t.test('what cannot be changed is refused', async t => {
  const { faults } = plan(
    { name: 'Shop', platformType: 'other' },
    { name: 'Market', platformType: 'probe', adapterKey: 'probe.api.v2' },
    { name: 'Market', platformType: 'probe' }
  )

  t.match(faults, [
    { pointer: '/connections/0/platformType', message: /is of platform 'probe'/ },
    { pointer: '/connections/1/adapterKey', message: /linker connections move/ },
    { pointer: '/connections/2/name', message: /declared twice/ }
  ])
})
