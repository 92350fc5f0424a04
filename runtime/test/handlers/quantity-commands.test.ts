import { TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { jobHandlerOf } from '../../src/handlers/core-jobs.ts'
import type { JobHandler } from '../../src/jobs/running-job.ts'
import { quantityJobs } from '../../src/offers/quantity-jobs.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { attempted, drained, kinds, openJobsFor } from '../jobs/support.ts'
import { createServices } from './fake-adapter.ts'

for (const kind of kinds(t)) {
  t.test(`each change of a quantity is one command, however often its job runs, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const [shop, market, offerId] = [await jobs.addConnection(), await jobs.addConnection(), randomUUID()]
    const changes: { quantity: number, commandId: string }[] = []
    let isDown = false
    const services = createServices(jobs, () => ({
      Marketplace: {
        updateOfferQuantity (change: { quantity: number, commandId: string }) {
          changes.push(change)
          if (isDown) throw new TransientError('down')
          return { applied: ['stock'], frozen: [] }
        }
      }
    }))
    const handler: JobHandler = async job => {
      const found = jobHandlerOf(job.jobType, services)
      if (found === undefined) throw new TypeError(job.jobType)
      return found(job)
    }
    const setStock = async (quantity: number): Promise<void> => {
      const [{ now = '' } = {}] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity
      }])
      await services.enqueueJobs(await quantityJobs(database.query, { offerIds: [offerId] }))
    }
    await setStock(5)
    await database.query(
      `
      insert into offers (id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at,
        updated_at)
      values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
      [offerId, market, variantIdOf(shop, 'p', 'v')]
    )
    jobs.startWorker(handler, { enqueueJobs: services.enqueueJobs })

    for (const quantity of [5, 6, 5]) {
      await setStock(quantity)
      await drained(jobs)
    }
    t.strictSame(changes.map(({ quantity }) => quantity), [5, 6, 5])
    t.equal(new Set(changes.map(({ commandId }) => commandId)).size, 3)

    isDown = true
    await setStock(7)
    const [live] = await database.query<{ id: string }>('select id from jobs where state is not null')
    await attempted(jobs, live?.id ?? '', 1)
    isDown = false
    await jobs.makeDue()
    await drained(jobs)
    const retried = changes.slice(3)
    t.strictSame(retried.map(({ quantity }) => quantity), [7, 7])
    t.equal(new Set(retried.map(({ commandId }) => commandId)).size, 1)
  })
}
