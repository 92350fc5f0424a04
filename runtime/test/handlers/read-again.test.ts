import { HubJobType } from '@linker/sdk'
import t from 'tap'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices, handle, runningJob } from './fake-adapter.ts'

t.test('what an event of a window names', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const product = { externalId: '27', name: 'Mug', isActive: true, variants: [{ externalId: '0' }] }
  const stock = [{ productExternalId: '27', variantExternalId: '0', quantity: 1 }]
  const services = createServices(jobs, () => ({
    ProductMaster: { getProduct: () => product },
    InventoryMaster: { getStock: () => stock },
    jobs: { 'feed.products': () => ({ products: [product] }), 'feed.stock': () => ({ stock }), 'feed.ping': () => ({}) }
  }), { windowMs: 60_000 })

  async function followUpsOf (jobType: string) {
    const now = new Date().toISOString()
    const event = { eventId: 'e1', externalId: '27', occurredAt: now, publishedAt: now }
    const { followUps = [] } = await handle(services, runningJob(jobType, await jobs.addConnection(), event))
    return followUps.map(({ jobType, payload }) => [jobType, payload.jobType])
  }

  for (const jobType of [HubJobType.syncProduct, HubJobType.syncStock, 'feed.products', 'feed.stock']) {
    t.test(`is read again by ${jobType}: a later change has no event`, async t => {
      t.strictSame(await followUpsOf(jobType), [['inventory.readAgain', jobType]])
    })
  }

  t.test('is not read again by a job that reads neither products nor stock', async t => {
    t.strictSame(await followUpsOf('feed.ping'), [])
  })
})
