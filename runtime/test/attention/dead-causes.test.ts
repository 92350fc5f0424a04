import { randomUUID } from 'node:crypto'
import t from 'tap'
import { withoutSecrets } from '../../src/attention/dead-causes.ts'
import type { Query } from '../../src/database/database.ts'
import { nameOffers } from '../../src/offers/find/store.ts'
import { nameOrders } from '../../src/orders/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { openMarket } from '../offers/market.ts'
import { placeOrder } from '../orders/placed-order.ts'

for (const kind of kinds(t)) {
  t.test(`the objects of dead jobs, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs

    t.test('have names, except those of which the payload has no id', async t => {
      const { addOffer } = await openMarket(jobs)
      const offerId = await addOffer({ title: 'Mug' })
      const { orderId } = await placeOrder(jobs)

      t.strictSame([...(await nameOffers(database.query, [offerId, 'no id', randomUUID()])).keys()], [offerId])
      t.strictSame([...(await nameOrders(database.query, [orderId, 'no id', randomUUID()])).keys()], [orderId])
      t.equal((await nameOffers(database.query, ['no id'])).size, 0)
    })

    t.test('are found by the primary key', async t => {
      for (const [read, table] of [[nameOffers, 'offers'], [nameOrders, 'orders']] as const) {
        const lines: string[] = []
        await database.transaction(async ({ query }) => {
          const explaining: Query = async (text, values) => {
            await query('set local enable_seqscan = off')
            const rows = await query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
            lines.push(...rows.map(row => row['QUERY PLAN']))
            return []
          }
          await read(explaining, [randomUUID()])
        })

        t.match(lines.join('\n'), new RegExp(`${table}_pkey`))
      }
    })
  })
}

t.test('a message is shown without secrets, and none is none', t => {
  const cause = { jobId: 'j1', subject: null, message: 'the key is s3cret', connectionId: 'c1' }
  const redactorOf = () => (text: unknown) => String(text).replace('s3cret', '[redacted]')

  t.equal(withoutSecrets(cause, redactorOf).message, 'the key is [redacted]')
  t.equal(withoutSecrets({ ...cause, message: null }, redactorOf).message, null)
  t.equal(withoutSecrets(cause, undefined).message, cause.message)
  t.end()
})
