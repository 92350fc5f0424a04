import t from 'tap'
import { openJobsFor, cheapestKind } from '../jobs/support.ts'
import { openMarket } from '../offers/market.ts'
import { createServices, handle, runJob, runningJob } from './fake-adapter.ts'

t.test('jobs of adapters', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  let outcome: unknown
  const services = createServices(jobs, () => ({ jobs: { 'feed.read': () => outcome } }))
  const job = async () => runningJob('feed.read', await jobs.addConnection())
  const levels = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      productExternalId: String(index),
      variantExternalId: '0',
      quantity: 1
    }))

  t.test('a few quantities are stored together with those of other jobs, many alone', async t => {
    outcome = { stock: levels(100) }
    t.match(await handle(services, await job()), { effects: undefined, shared: {} })

    outcome = { stock: levels(101) }
    const large = await handle(services, await job())
    t.equal(large.shared, undefined)
    t.type(large.effects, 'function')
  })

  t.test('a type that the adapter does not have, or a job without a connection, is unknown', async t => {
    const { connectionId } = await job()
    for (const other of [runningJob('feed.gone', connectionId), runningJob('feed.read', null)]) {
      await t.rejects(handle(services, other), {
        code: 'LNK_JOB_TYPE_UNKNOWN',
        message: `Job '${other.id}' cannot run: no adapter serves the type '${other.jobType}' for it`
      })
    }
  })

  for (const count of [2, 101]) {
    t.test(`${count} quantities become the stock`, async t => {
      outcome = { stock: levels(count) }
      const { result } = await runJob(services, await job())
      t.match(result, { variants: count })
      t.equal((await jobs.database.query('select from stock')).length, count)
    })
  }

  t.test('an offer that shows an older quantity is written again, also when the hub wrote it just now', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: new Date() }
    await addOffer({ ...written, external_id: 'shows-older' })
    await addOffer({ ...written, external_id: 'another' })
    outcome = { overwrittenOffers: ['shows-older', 'unknown'] }

    const { jobTypes } = await runJob(services, runningJob('feed.read', market))

    t.strictSame(jobTypes, ['marketplace.offerQuantity.update'])
    t.strictSame(
      await jobs.database.query(
        `select external_id as name, sent_link_version = link_version as "isWritten"
        from offers where connection_id = $1 order by external_id`,
        [market]
      ),
      [{ name: 'another', isWritten: true }, { name: 'shows-older', isWritten: false }]
    )
  })

  t.test('members may be undefined, and an empty answer has no effects', async t => {
    outcome = { stock: [], orders: undefined, products: [] }
    t.match(await handle(services, await job()), {
      effects: undefined,
      shared: undefined
    })
  })
})
