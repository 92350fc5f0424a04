import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { coreDeathEffectsOf } from '../../src/handlers/core-jobs.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { lockOrder, readOrder } from '../../src/orders/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { problemDetails } from './statements.ts'

for (const kind of kinds(t)) {
  t.test(`an order by its id, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)
    const placeOrder = async () => {
      const market = await addConnection()
      return (await database.transaction(async transaction => ingestOrder(transaction, market, orderOf('o1')))).orderId
    }

    t.test('is found by an index, in whatever case the id is written', async t => {
      const orderId = await placeOrder()
      for (const find of [readOrder, lockOrder]) {
        const plan = await database.transaction(async ({ query }) => {
          await query('set local enable_seqscan = off')
          const lines: object[] = []
          const explain: Query = async (text, values) => {
            lines.push(...await query<object>(`explain ${text}`, values))
            return []
          }
          await find(explain, orderId)
          return JSON.stringify(lines)
        })
        t.match(plan, /Index/)
        t.notMatch(plan, /Seq Scan/)
        t.match(await database.transaction(async ({ query }) => find(query, orderId.toUpperCase())), { id: orderId })
      }
    })

    t.test('may be invalid in the payload of a dead job, which ends all the same', async t => {
      const orderId = await placeOrder()
      await database.query("update orders set status = 'ready' where id = $1", [orderId])
      const jobTypes = [
        'master.order.create',
        'master.order.cancel',
        'fulfilment.shipment.create',
        'fulfilment.shipment.cancel'
      ]
      for (const jobType of jobTypes) {
        for (const named of ['no id', undefined, 7]) {
          await database.transaction(async transaction =>
            coreDeathEffectsOf(jobType)?.(transaction, {
              id: randomUUID(),
              connectionId: null,
              payload: { orderId: named }
            }, { code: 'LNK_ADAPTER_REJECTED', message: 'refused' })
          )
        }
      }
      t.match(
        await database.query(
          `select status, ${problemDetails} from orders where id = $1`,
          [orderId]
        ),
        [{
          status: 'ready',
          problems: [/.*/]
        }],
        'it waits for its variant'
      )
    })
  })
}
