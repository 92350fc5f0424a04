import t from 'tap'
import { resolveRoute } from '../../src/fulfilment/resolve-route.ts'

const carrier = { id: 'c', name: 'Parcelo', adapterKey: 'parcelo.api.v1', adapterVersion: null, problem: null }
const own = { ...carrier, id: 'm', name: 'Market' }
const rules = [
  { sourceDeliveryMethodId: 'courier', processorKind: 'hub_managed_carrier' as const, processorConnectionId: 'c' },
  { sourceDeliveryMethodId: 'locker', processorKind: 'source_brokered' as const, processorConnectionId: null }
]
const request = (deliveryMethodId: string) => ({ connectionId: 'm', deliveryMethodId })

t.test('without a rule the shop dispatches', async t => {
  t.match(resolveRoute(rules, [carrier], request('post')), {
    processorKind: 'omp_fulfilled',
    processorConnectionId: undefined,
    carrierId: null,
    problem: undefined
  })
})

t.test('a rule leads to its carrier, even while the carrier is disabled', async t => {
  t.match(resolveRoute(rules, [carrier], request('courier')), {
    processorKind: 'hub_managed_carrier',
    processorConnectionId: 'c',
    carrierId: 'c',
    problem: undefined
  })
  t.match(resolveRoute(rules, [{ ...carrier, problem: 'is disabled' }], request('courier')), {
    carrierId: 'c',
    explanation: /is disabled/,
    problem: /waits for it/
  })
})

t.test('a rule that names a connection which is no carrier any more is a problem', async t => {
  t.match(resolveRoute(rules, [], request('courier')), {
    processorKind: 'hub_managed_carrier',
    carrierId: 'c',
    problem: /'c' is not a carrier/
  })
})

t.test('the marketplace makes the label when its adapter can, else the operator gets it there', async t => {
  t.match(resolveRoute(rules, [carrier], request('locker')), {
    processorKind: 'source_brokered',
    carrierId: null,
    explanation: /adapter makes no labels/,
    problem: undefined
  })
  t.match(resolveRoute(rules, [carrier, own], request('locker')), {
    processorKind: 'source_brokered',
    processorConnectionId: undefined,
    carrierId: 'm'
  })
})
