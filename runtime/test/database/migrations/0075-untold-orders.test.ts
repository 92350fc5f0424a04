import t from 'tap'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { orderOf } from '../../orders/journal.ts'

const log = { warn: () => undefined }
const status = 'marketplace.order.updateStatus'
const parcel = 'marketplace.order.addTracking'
const off = 'config.orderWriteBack is off'

for (const kind of kinds(t)) {
  t.test(`orders that no marketplace was told of are known by the jobs of the version before, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    const { database: { query }, enqueueJobs } = jobs
    const market = await jobs.addConnection()
    const cases: Array<[externalId: string, jobType: string, told: string | undefined, skipped: string]> = [
      ['shipped', status, 'shipped', off],
      ['parcel', parcel, undefined, off],
      ['cancelled', status, 'cancelled', off],
      ['other', status, 'shipped', 'the order is gone'],
      ['shop', 'master.order.addTracking', undefined, off]
    ]
    for (const [externalId, jobType, told, skipped] of cases) {
      const { orderId } = await jobs.database.transaction(async transaction =>
        ingestOrder(transaction, market, orderOf(externalId))
      )
      const [jobId] = await enqueueJobs([{
        jobType,
        connectionId: market,
        idempotencyKey: externalId,
        payload: { object: externalId, orderId, ...told === undefined ? {} : { status: told } }
      }])
      await query('update jobs set result = $2 where id = $1', [jobId?.id, JSON.stringify({ skipped })])
    }
    await query('drop index orders_untold')
    await query('alter table orders drop column untold_setting, drop column untold_at')
    await query("delete from linker_migrations where name like '0075%'")
    await jobs.close()

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())

    const found = await database
      .query('select external_id, untold_setting from orders where untold_setting is not null order by 1')
    t.strictSame(found, [
      { external_id: 'parcel', untold_setting: 'orderWriteBack' },
      { external_id: 'shipped', untold_setting: 'orderWriteBack' }
    ])
  })
}
