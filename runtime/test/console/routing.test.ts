import t from 'tap'
import { checkRules, keyOfProcessor, processorOf, processorText } from '../../console/rules/routing.ts'

const carrier = { processorKind: 'hub_managed_carrier' as const, processorConnectionId: 'c1' }
const shop = { processorKind: 'omp_fulfilled' as const }
const candidates = [
  { ...carrier, displayName: 'Carrier', reason: 'is paused' },
  { ...shop, displayName: 'The shop' }
]
const rule = (sourceDeliveryMethodId: string, processor: object = shop) => ({
  sourceDeliveryMethodId,
  ...shop,
  ...processor
})

t.test('rules are checked before they are stored', async t => {
  const rules = [rule('a'), rule('b', carrier), rule('a'), rule(' '), rule('c', { processorKind: 'source_brokered' })]

  t.match(checkRules(rules, candidates, [{ id: 'a' }, { id: 'c' }]), [
    { index: 1, isGrave: false },
    { index: 1, isGrave: false },
    { index: 2, isGrave: true },
    { index: 3, isGrave: true },
    { index: 4, isGrave: true }
  ])
  t.strictSame(checkRules([rule('a')], candidates, undefined), [])
})

t.test('a choice of who dispatches survives its text', async t => {
  for (const processor of [carrier, shop]) t.strictSame(processorOf(keyOfProcessor(processor)), processor)
  t.equal(processorText(carrier, candidates), 'Carrier')
  t.equal(processorText(carrier, []), 'A carrier of the hub c1')
})
