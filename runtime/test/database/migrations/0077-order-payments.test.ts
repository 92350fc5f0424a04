import { Order } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { orderOf } from '../../orders/journal.ts'

const log = { warn: () => undefined }

for (const kind of kinds(t)) {
  t.test(`stored orders of the version before get a payment, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    const { query } = jobs.database
    const market = await jobs.addConnection()
    const cases: Array<[status: Order['status'], isCash: boolean]> = [
      ['processing', false],
      ['pending', false],
      ['delivered', true]
    ]
    for (const [status, isCash] of cases) {
      await jobs.database.transaction(async transaction =>
        ingestOrder(transaction, market, orderOf(status, { status }))
      )
      await query(
        `update orders set snapshot = jsonb_set(snapshot - 'payment', '{shipping,cashOnDelivery}', $2)
         where external_id = $1`,
        [status, JSON.stringify(isCash)]
      )
    }
    await query("delete from linker_migrations where name like '0077%'")
    await jobs.close()

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())

    const found = await database.query<{ snapshot: Order }>('select snapshot from orders order by external_id')
    t.strictSame(found.map(({ snapshot: { status, payment } }) => [status, payment.method, payment.paid.amount]), [
      ['delivered', 'cash-on-delivery', '0.00'],
      ['pending', 'prepaid', '0.00'],
      ['processing', 'prepaid', '10.00']
    ])
    for (const { snapshot } of found) t.ok(Value.Check(Order, snapshot), snapshot.status)
  })
}
