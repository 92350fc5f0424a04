import t from 'tap'
import { jobTypeOf } from '../../src/jobs/job-types.ts'

const connectionId = '123e4567-e89b-12d3-a456-426614174000'
const keyOf = (jobType: string, payload: Record<string, unknown>): string =>
  jobTypeOf(jobType).objectKey({ connectionId, payload })

t.test('jobs on one external object exclude each other, whatever else they say', async t => {
  t.equal(
    keyOf('feed.stock.sync', { externalId: '27', eventId: 'a' }),
    keyOf('feed.stock.sync', { externalId: '27', eventId: 'b' })
  )
  t.not(keyOf('feed.stock.sync', { externalId: '27' }), keyOf('feed.stock.sync', { externalId: '28' }))
})

t.test('jobs that name no object stand for each other only when they say the same', async t => {
  t.equal(keyOf('feed.orders.poll', {}), keyOf('feed.orders.poll', {}))
  t.not(keyOf('feed.pages.read', { page: 1 }), keyOf('feed.pages.read', { page: 2 }))
})
