import { randomUUID } from 'node:crypto'
import t from 'tap'
import { jobHandlerOf } from '../../src/handlers/core-jobs.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { createServices, runningJob } from './fake-adapter.ts'

for (const kind of kinds(t)) {
  t.test(`jobs that anybody may have written to the stream, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const services = createServices(jobs, () => ({}))
    const run = async (jobType: string, connectionId: string | null, payload: Record<string, unknown>) =>
      jobHandlerOf(jobType, services)?.({ ...runningJob(jobType, randomUUID(), payload), connectionId })

    t.test('a job of the hub itself needs no connection, every other does', async t => {
      t.match(await run('inventory.propagateToMarketplaces', null, { variantId: randomUUID() }), {
        result: { offers: 0 }
      })
      for (const jobType of ['master.inventory.syncAll', 'inventory.readAgain']) {
        await t.rejects(run(jobType, null, { externalId: '1', jobType }), {
          code: 'LNK_ADAPTER_REJECTED',
          message: `${jobType} needs a connection`
        })
      }
    })

    t.test('a payload that does not fit is refused with a pointer for each problem', async t => {
      await t.rejects(run('marketplace.order.updateStatus', randomUUID(), { orderId: 'x', status: 'lost' }), {
        code: 'LNK_ADAPTER_REJECTED',
        message:
          /^the payload of marketplace\.order\.updateStatus is invalid: \/payload\/orderId .*; \/payload\/status /,
        fields: [{ pointer: '/payload/orderId' }, { pointer: '/payload/status' }]
      })
    })
  })
}
