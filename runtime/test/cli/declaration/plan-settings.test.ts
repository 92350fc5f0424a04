import t from 'tap'
import { planSettings } from '../../../src/cli/declaration/plan-settings.ts'
import type { DeclaredConnection } from '../../../src/cli/declaration/schema.ts'
import { state } from './state.ts'

const plan = (...connections: DeclaredConnection[]) => planSettings({ version: 1, connections }, state)
const market = { name: 'Market', platformType: 'probe' }

t.test('schedules that differ are changed; unknown ones are refused', async t => {
  const { steps, faults } = plan({ ...market, schedules: { poll: { every: '5m', enabled: false }, no: {} } })

  t.match(steps, [{
    name: 'Market/poll',
    changes: [{ pointer: '/every', from: '2m', to: '5m' }],
    request: { method: 'PATCH', path: '/connections/market-id/schedules/poll' }
  }])
  t.match(faults, [{ pointer: '/connections/0/schedules/no', message: /has no such schedule; it has poll/ }])
})

t.test('a declared rule replaces the one of its method, and the others stay', async t => {
  const { steps } = plan({
    ...market,
    routingRules: [
      { sourceDeliveryMethodId: 'locker', processorKind: 'omp_fulfilled' },
      { sourceDeliveryMethodId: 'post', processorKind: 'hub_managed_carrier', carrier: 'Carrier' }
    ]
  })

  t.match(steps, [{
    object: 'routing rules',
    changes: [{ pointer: '/locker' }, { pointer: '/post' }],
    request: {
      method: 'PUT',
      body: {
        items: [
          { sourceDeliveryMethodId: 'locker', processorKind: 'omp_fulfilled' },
          { sourceDeliveryMethodId: 'courier' },
          { sourceDeliveryMethodId: 'post', processorConnectionId: 'carrier-id' }
        ]
      }
    }
  }])
})

t.test('an unknown carrier is refused, and a connection that is not there yet makes its settings wait', async t => {
  const rule = { sourceDeliveryMethodId: 'x', processorKind: 'hub_managed_carrier' as const, carrier: 'Nobody' }

  t.match(plan({ ...market, routingRules: [rule] }), {
    steps: { length: 0 },
    faults: [{ pointer: '/connections/0/routingRules/0/carrier', message: /no connection is called 'Nobody'/ }]
  })
  t.match(plan({ name: 'New', platformType: 'probe', schedules: { a: { enabled: true } } }), {
    faults: { length: 0 },
    skipped: [{ object: 'schedule', name: 'New/a' }]
  })
})
