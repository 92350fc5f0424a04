import t from 'tap'
import { coreJobs, directionOf, directionOfAll, directionOfCapability } from '../../src/diagnostics/directions.ts'
import { coreJobTypes } from '../../src/handlers/core-jobs.ts'

t.test('every job type of the core is in one of the lists', async t => {
  const listed = Object.values(coreJobs).flat().map(({ type }) => type)

  t.strictSame(listed.toSorted(), coreJobTypes.toSorted())
  t.equal(new Set(listed).size, listed.length)
})

t.test('jobs that write leave, all others arrive, those of adapters too', async t => {
  t.equal(directionOf('marketplace.offerQuantity.update'), 'out')
  t.equal(directionOf('marketplace.orders.poll'), 'in')
  t.equal(directionOf('shopa.inventory.syncByExternalId'), 'in')
  t.equal(directionOf('inventory.propagateToMarketplaces'), 'both')
})

t.test('jobs of several types have a direction when all have the same', async t => {
  t.equal(directionOfAll(['marketplace.offerQuantity.update', 'master.order.create']), 'out')
  t.equal(directionOfAll(['marketplace.orders.poll', 'master.order.create']), 'both')
  t.equal(directionOfAll([]), 'both')
})

t.test('a capability has the directions of the jobs that need it', async t => {
  t.equal(directionOfCapability('InventoryMaster'), 'in')
  t.equal(directionOfCapability('OrderProcessorManager'), 'both')
  t.equal(directionOfCapability('OfferManager'), 'both')
  t.equal(directionOfCapability('acme.Something'), 'both')
})
