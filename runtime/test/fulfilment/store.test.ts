import t from 'tap'
import { lockRuleSet, readRuleSet, storeRules } from '../../src/fulfilment/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

t.test('the stored rules of a marketplace', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('are replaced as a whole, keep their order, and get the next version', async t => {
    const [market, other, carrier] = [
      await jobs.addConnection(),
      await jobs.addConnection(),
      await jobs.addConnection()
    ]
    t.strictSame(await readRuleSet(query, market), { version: 0, rules: [] })
    t.equal(await lockRuleSet(query, market), 0)
    await storeRules(query, market, [
      { sourceDeliveryMethodId: 'z', processorKind: 'source_brokered' },
      { sourceDeliveryMethodId: 'm', processorKind: 'omp_fulfilled' },
      { sourceDeliveryMethodId: 'a', processorKind: 'hub_managed_carrier', processorConnectionId: carrier }
    ])

    t.strictSame(await readRuleSet(query, market), {
      version: 1,
      rules: [
        { sourceDeliveryMethodId: 'z', processorKind: 'source_brokered', processorConnectionId: null },
        { sourceDeliveryMethodId: 'a', processorKind: 'hub_managed_carrier', processorConnectionId: carrier }
      ]
    }, 'a delivery method without a rule is for the shop anyway')
    t.strictSame(await readRuleSet(query, other), { version: 0, rules: [] })

    t.equal(await lockRuleSet(query, market), 1)
    await storeRules(query, market, [])
    t.strictSame(await readRuleSet(query, market), { version: 2, rules: [] })
  })
})
