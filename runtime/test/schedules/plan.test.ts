import { randomUUID } from 'node:crypto'
import t from 'tap'
import { schedulesOf, unknownDefaults } from '../../src/schedules/plan.ts'

const supported = ['InventoryMaster', 'OfferManager', 'OrderSource', 'Marketplace', 'OrderProcessorManager']

/**
 * Returns the names of the schedules of a connection with these capabilities. Its adapter declares
 * one more schedule.
 */
function namesOf (
  capabilities: readonly string[],
  defaults = {},
  methods: Record<string, string[]> = { Marketplace: ['listOrders'] }
): string[] {
  const own = { name: 'fake-poll', every: '1m', job: 'fake.poll', payload: {} }
  const registry = {
    records: [],
    find: () => ({ supportedCapabilities: supported, description: { schedules: [own], capabilities: methods } })
  }
  return schedulesOf({ registry, defaults }, { id: randomUUID(), adapterKey: 'fake.api.v1', capabilities }, new Map())
    .filter(({ enabled }) => enabled).map(({ name, every }) => `${name} ${every}`)
}

t.test('a connection has the schedules of the core for its capabilities, and those of its adapter', async t => {
  t.strictSame(namesOf(['InventoryMaster']), ['master-inventory-sweep 15m', 'fake-poll 1m'])
  t.strictSame(namesOf(['Marketplace', 'OrderProcessorManager']), [
    'marketplace-offers-sync 1h',
    'marketplace-orders-poll 2m',
    'shop-orders-poll 5m',
    'marketplace-orders-sweep 6h',
    'fake-poll 1m'
  ])
  t.strictSame(
    namesOf(['OfferManager', 'OrderSource']),
    ['marketplace-offers-sync 1h', 'fake-poll 1m'],
    "an inbox is its adapter's to poll"
  )
  t.strictSame(
    namesOf(['Marketplace'], {
      'marketplace-offers-sync': { enabled: false },
      'marketplace-orders-poll': { every: '30s' }
    }),
    ['marketplace-orders-poll 30s', 'marketplace-orders-sweep 6h', 'fake-poll 1m']
  )
  t.strictSame(namesOf(['OrderSource'], {}, { OrderSource: ['listUnread', 'listOrders'] }), [
    'marketplace-orders-sweep 6h',
    'fake-poll 1m'
  ])
  t.strictSame(namesOf(['Marketplace'], {}, { Marketplace: ['listOrderEvents'] }), [
    'marketplace-offers-sync 1h',
    'marketplace-orders-poll 2m',
    'fake-poll 1m'
  ], 'an adapter that cannot list orders')
})

t.test('linker.config.json changes schedules of adapters too, and names that nobody has are found', async t => {
  t.strictSame(namesOf(['OrderSource'], { 'fake-poll': { every: '10m' } }, {}), ['fake-poll 10m'])
  t.strictSame(namesOf(['OrderSource'], { 'fake-poll': { enabled: false } }, {}), [])
  const own = { name: 'fake-poll', every: '1m', job: 'fake.poll', payload: {} }
  const loaded = { adapter: { manifest: { adapterKey: 'fake.api.v1' }, description: { schedules: [own] } } }
  t.strictSame(
    unknownDefaults({
      registry: { records: [loaded, {}], find: () => undefined },
      defaults: { 'fake-poll': {}, 'marketplace-orders-sweep': {}, 'fake-pol': {} }
    }),
    ['fake-pol']
  )
})
