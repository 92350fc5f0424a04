import t from 'tap'
import { addProblem } from '../../src/orders/problems.ts'
import { readHistory } from '../../src/orders/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { placeOrder } from './placed-order.ts'

t.test('a problem of an order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('stands on the order once, and in its history each time', async t => {
    const { orderId, read } = await placeOrder(jobs)
    for (const detail of ['away', 'refused', 'away']) {
      await addProblem(query, orderId, { code: 'not-cancelled-in-shop', detail })
    }
    await addProblem(query, orderId, { code: 'routing', detail: 'away' })

    t.strictSame((await read()).problems, [
      { code: 'not-cancelled-in-shop', detail: 'away' },
      { code: 'not-cancelled-in-shop', detail: 'refused' },
      { code: 'routing', detail: 'away' }
    ])
    const noted = (await readHistory(query, orderId)).filter(({ event }) => event === 'problem')
    t.strictSame(noted.map(({ detail }) => detail?.problem), ['away', 'refused', 'away', 'away'])
  })

  t.test('is stored once although its text cannot be stored as it is', async t => {
    const { orderId, read } = await placeOrder(jobs)
    for (let time = 0; time < 2; time++) await addProblem(query, orderId, { code: 'routing', detail: 'no\0' })

    t.strictSame((await read()).problems, [{ code: 'routing', detail: 'no\ufffd' }])
  })
})
