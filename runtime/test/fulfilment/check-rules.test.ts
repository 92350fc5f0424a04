import t from 'tap'
import { checkRules } from '../../src/fulfilment/check-rules.ts'
import type { Candidate, RoutingRule } from '../../src/fulfilment/schemas.ts'

const carrierId = '00000000-0000-4000-8000-00000000000a'
const idleId = '00000000-0000-4000-8000-00000000000b'
const candidates: Candidate[] = [
  { processorKind: 'omp_fulfilled', displayName: 'The shop' },
  { processorKind: 'source_brokered', displayName: 'The marketplace' },
  { processorKind: 'hub_managed_carrier', processorConnectionId: carrierId, displayName: 'Parcelo' },
  {
    processorKind: 'hub_managed_carrier',
    processorConnectionId: idleId,
    displayName: 'Idle',
    reason: 'The connection is disabled'
  }
]
const ruleOf = (
  sourceDeliveryMethodId: string,
  processorKind: RoutingRule['processorKind'],
  processorConnectionId?: string
): RoutingRule => ({
  sourceDeliveryMethodId,
  processorKind,
  ...(processorConnectionId === undefined ? {} : { processorConnectionId })
})

/** The pointers and codes of the problems of a set of rules. */
const check = (...rules: readonly RoutingRule[]) =>
  checkRules(rules, candidates).map(({ pointer, code }) => `${pointer} ${code}`)

t.test('a carrier is named with the kind that needs one, and only with it', async t => {
  t.strictSame(
    check(
      ruleOf('courier', 'hub_managed_carrier', carrierId),
      ruleOf('locker', 'source_brokered'),
      ruleOf('post', 'omp_fulfilled')
    ),
    []
  )
  t.strictSame(
    check(
      ruleOf('courier', 'hub_managed_carrier'),
      ruleOf('locker', 'source_brokered', carrierId),
      ruleOf('post', 'omp_fulfilled', carrierId)
    ),
    [
      '/items/0/processorConnectionId required',
      '/items/1/processorConnectionId unexpected',
      '/items/2/processorConnectionId unexpected'
    ]
  )
})

t.test('the id of a carrier may be written in upper case', async t => {
  t.strictSame(check(ruleOf('courier', 'hub_managed_carrier', carrierId.toUpperCase())), [])
})

t.test('a connection that is no carrier, or takes no parcels now, is refused', async t => {
  t.strictSame(
    check(
      ruleOf('courier', 'hub_managed_carrier', '00000000-0000-4000-8000-00000000000c'),
      ruleOf('locker', 'hub_managed_carrier', idleId)
    ),
    ['/items/0/processorConnectionId carrier', '/items/1/processorConnectionId inactive']
  )
  t.match(checkRules([ruleOf('locker', 'hub_managed_carrier', idleId)], candidates), [{
    message: /'Idle': the connection is disabled$/
  }])
})

t.test('a second rule for a delivery method points to the first one, beside its own problem', async t => {
  const rules = [
    ruleOf('courier', 'omp_fulfilled'),
    ruleOf('locker', 'omp_fulfilled'),
    ruleOf('courier', 'source_brokered'),
    ruleOf('courier', 'hub_managed_carrier')
  ]
  t.strictSame(check(...rules), [
    '/items/2/sourceDeliveryMethodId duplicate',
    '/items/3/sourceDeliveryMethodId duplicate',
    '/items/3/processorConnectionId required'
  ])
  for (const { message } of checkRules(rules, candidates).slice(0, 2)) t.match(message, /\/items\/0$/)
})
