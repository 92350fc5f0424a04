import t from 'tap'
import { createPauses } from '../../src/connections/pauses/pauses.ts'
import { findConnections } from '../../src/connections/store.ts'
import { jobTypeOf } from '../../src/handlers/core-jobs.ts'
import { createEnqueue } from '../../src/jobs/enqueue.ts'
import { createShow } from '../../src/jobs/show-jobs.ts'
import { getJobs } from '../../src/jobs/store.ts'
import { findAwaitedJob } from '../../src/orders/awaited-job.ts'
import { getOrder } from '../../src/orders/read-orders.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { placeOrder } from './placed-order.ts'

t.test('the job that a ready order waits for', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database, database: { query } } = jobs
  const enqueueJobs = createEnqueue({ database, jobTypeOf })
  const show = createShow({
    query,
    redactorsOf: async () => () => value => value,
    connectionStates: ids => findConnections(query, ids)
  })
  const awaitedBy = async (orderId: string) =>
    findAwaitedJob({
      query,
      findJobs: async ids => new Map((await show([...(await getJobs(query, ids)).values()])).map(job => [job.id, job]))
    }, await getOrder(query, orderId))

  t.test('is the one that makes it in the shop, with the reason why it does not run', async t => {
    const { orderId, shop, jobs: followUps } = await placeOrder(jobs)
    t.equal(await awaitedBy(orderId), null, 'no job is stored')
    await enqueueJobs(followUps)
    const job = { jobType: 'master.order.create', connectionId: shop }
    t.match(await awaitedBy(orderId), { ...job, status: 'queued', reason: 'turn' })

    await createPauses(database).pause(shop, { reason: 'maintenance' })
    t.match(await awaitedBy(orderId), { ...job, status: 'waiting', reason: 'connection-paused', detail: /maintenance/ })

    await query("update jobs set state = 'running' where job_type = 'master.order.create'")
    t.match(await awaitedBy(orderId), { ...job, status: 'running', reason: null })
  })

  t.test('is none for an order that waits for no job', async t => {
    const { orderId, jobs: followUps, putAtShop, set } = await placeOrder(jobs)
    await enqueueJobs(followUps)
    await set("status = 'failed'")
    t.equal(await awaitedBy(orderId), null)
    await putAtShop()
    t.equal(await awaitedBy(orderId), null)
  })
})
