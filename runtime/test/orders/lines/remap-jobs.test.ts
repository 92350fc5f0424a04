import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { remapJobs } from '../../../src/orders/lines/remap-jobs.ts'

t.test('each order that can be mapped now is read once for each attempt', async t => {
  const asked: unknown[] = []
  const query: Query = async <Row extends object>(_text: string, values?: readonly unknown[]) => {
    asked.push(values)
    return ['o1', 'o2'].map(externalId => ({ externalId })) as object[] as Row[]
  }
  const jobs = await remapJobs(query, { connectionId: 'market', offerExternalIds: ['mug', 'cup'] }, 'link', 'request')

  t.strictSame(asked, [['market', ['mug', 'cup'], '', 100]])
  t.match(
    jobs,
    ['o1', 'o2'].map(externalId => ({
      jobType: 'marketplace.order.syncByExternalId',
      connectionId: 'market',
      payload: { externalId },
      idempotencyKey: `order-remap:market:${externalId}:link`,
      requestId: 'request'
    }))
  )
  t.equal(jobs.length, 2)
  await remapJobs(query, { connectionId: 'market' }, 'sweep')
  t.strictSame(asked[1], ['market', null, '', 100], 'any offer of the marketplace')
})
