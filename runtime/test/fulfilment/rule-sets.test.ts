import { carrierCapability } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createRegistry } from '../../src/adapters/registry.ts'
import { describeRule, replaceRuleSet } from '../../src/fulfilment/rule-sets.ts'
import type { RoutingRule } from '../../src/fulfilment/schemas.ts'
import { readRuleSet } from '../../src/fulfilment/store.ts'
import { fakeAdapter } from '../connections/support.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const adapter = fakeAdapter()
const registry = createRegistry([{ packageName: 'feed', isRequired: false, found: adapter, adapter }], new Map())
const locker: RoutingRule = { sourceDeliveryMethodId: 'locker', processorKind: 'source_brokered' }

t.test('a replacement of routing rules', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Opens a marketplace and a carrier, whose adapter the registry has. */
  async function open () {
    const [market, carrier] = [await jobs.addConnection(), await jobs.addConnection()]
    await query("update connections set adapter_key = 'feed.api.v1', capabilities = $2 where id = $1", [
      carrier,
      JSON.stringify([carrierCapability])
    ])
    return {
      market,
      carrier,
      courier: {
        sourceDeliveryMethodId: 'courier',
        processorKind: 'hub_managed_carrier' as const,
        processorConnectionId: carrier
      },
      replace: (items: RoutingRule[], expectedVersion?: number) =>
        replaceRuleSet(database, registry, market, { items, expectedVersion })
    }
  }

  t.test('answers the new set', async t => {
    const { replace, courier } = await open()
    const { version, rules } = await replace([locker, courier])

    t.equal(version, 1)
    t.strictSame(rules.map(describeRule), [{ ...locker, processorConnectionId: undefined }, courier])
  })

  t.test('changes nothing when the set has changed meanwhile, or when a rule is wrong', async t => {
    const { market, replace, courier } = await open()
    await replace([locker])
    await t.rejects(replace([courier], 0), { code: 'LNK_PRECONDITION_FAILED' })
    const unknown = { ...courier, processorConnectionId: randomUUID() }
    await t.rejects(replace([courier, unknown], 1), {
      code: 'LNK_REQUEST_INVALID',
      errors: [{ pointer: '/items/1/sourceDeliveryMethodId' }, { pointer: '/items/1/processorConnectionId' }]
    })

    t.match(await readRuleSet(query, market), { version: 1, rules: [{ sourceDeliveryMethodId: 'locker' }] })
    t.equal((await replace([courier], 1)).version, 2)
  })

  t.test('refuses a carrier that takes no parcels now', async t => {
    const { carrier, replace, courier } = await open()
    await jobs.setStatus(carrier, 'disabled')
    await t.rejects(replace([courier]), { errors: [{ code: 'inactive' }] })

    await jobs.setStatus(carrier, 'active')
    await query("update connections set adapter_key = 'parcelo.api.v1' where id = $1", [carrier])
    await t.rejects(replace([courier]), { errors: [{ code: 'inactive', message: /parcelo\.api\.v1/ }] })
  })

  t.test('is one of those sent at once, and the sets are never mixed', async t => {
    const { market, replace, courier } = await open()
    const sets = [[locker], [courier], [{ ...locker, sourceDeliveryMethodId: 'post' }], []]
    await Promise.all(sets.map(items => replace(items)))

    const { version, rules } = await readRuleSet(query, market)
    t.equal(version, sets.length)
    t.ok(rules.length <= 1)
  })
})
