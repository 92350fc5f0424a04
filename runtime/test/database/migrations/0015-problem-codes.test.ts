import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { getOrder } from '../../../src/orders/read-orders.ts'
import { removeProblems } from '../../../src/orders/store.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { orderOf } from '../../orders/journal.ts'
import { openSale } from '../../orders/sale.ts'

const log = { warn: () => undefined }

const ofOrder: [string, string][] = [
  ['shared-lines', "orders 'a' and 'b' have lines in common and are not merged: both are paid"],
  ['held-back', "it is not made in the shop, which has order 'a' or may have it: POST /orders/1/retry makes it"],
  ['unmapped', "no variant is linked to offer 'o' (line 1): POST /offers/link"],
  ['unmapped', 'line 1 names no offer'],
  ['gone', 'the marketplace does not know it any more'],
  ['tracking-not-told', 'the marketplace was not told its parcel: 503'],
  ['processing-not-told', 'the marketplace was not told that it is processing: 503'],
  ['shipped-not-told', 'the marketplace was not told that it is shipped: 503'],
  ['delivered-not-told', 'the marketplace was not told that it is delivered: 503'],
  ['cancelled-not-told', 'the marketplace was not told that it is cancelled: 503'],
  ['status-not-told', 'the marketplace was not told that it is lost: 503'],
  ['not-cancelled-in-shop', 'it was not cancelled in the shop: 503'],
  ['cancellation-refused', 'the shop does not cancel it: it is on its way'],
  ['cancelled-in-shop-only', 'it was cancelled in the shop, not at the marketplace'],
  ['tracking-not-told-to-shop', 'the shop was not told its parcel: 503'],
  ['parcel-not-made', 'the carrier made no label: 503'],
  ['parcel-not-cancelled', 'the parcel was not cancelled: 503'],
  ['parcel-cancellation-refused', 'the carrier does not cancel the parcel: it is on its way'],
  ['routing', "carrier 'x' is disabled: the label waits for it"],
  ['routing', "connection 'x' is no carrier any more: no label is made"],
  ['shop-reported', 'the customer has no telephone number']
]
const ofOffer: [string, string][] = [
  ['quantity-refused', 'the marketplace refused the quantity: at most 2'],
  ['not-looked-up', 'it was not looked up at the marketplace: 503'],
  ['quantity-not-written', 'the quantity was not written: 503'],
  ['change-not-written', 'the change was not written: 503'],
  ['not-ended', 'it was not ended: 503'],
  ['never-shown', 'the marketplace accepted it and never showed it'],
  ['unknown-at-marketplace', 'the marketplace does not know it any more'],
  ['marketplace', 'no pictures']
]
const detailsOf = (problems: [string, string][]): string => JSON.stringify(problems.map(([, detail]) => detail))
const coded = (problems: [string, string][]): object[] => problems.map(([code, detail]) => ({ code, detail }))

for (const kind of kinds(t)) {
  t.test(`problems of the versions before become rows with a code, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    const { market } = await openSale(jobs)
    const { orderId } = await jobs.database.transaction(transaction =>
      ingestOrder(transaction, market, orderOf('o1'), { requestId: randomUUID() })
    )
    await jobs.database.query('update orders set problems = $1', [detailsOf(ofOrder)])
    await jobs.database.query('update offers set problems = $1', [detailsOf(ofOffer)])
    await jobs.database.query("delete from linker_migrations where name like '0015%'")
    await jobs.close()

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())
    t.strictSame(await database.query('select problems from orders'), [{ problems: coded(ofOrder) }])
    t.strictSame(await database.query('select problems from offers'), [{ problems: coded(ofOffer) }])
    t.strictSame((await getOrder(database.query, orderId)).problems, ofOrder.map(([, detail]) => detail))
    await removeProblems(database.query, orderId, ['shipped-not-told', 'shared-lines'])
    t.equal((await getOrder(database.query, orderId)).problems.length, ofOrder.length - 2)
  })
}
