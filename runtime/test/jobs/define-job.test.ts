import { Type } from '@sinclair/typebox'
import t from 'tap'
import { adapterJobType, defineJob, Id } from '../../src/jobs/define-job.ts'

const connectionId = '123e4567-e89b-12d3-a456-426614174000'
const keyOf = (payload: Record<string, unknown>): string => adapterJobType().objectKey({ connectionId, payload })

t.test('jobs on one external object exclude each other, whatever else they say', async t => {
  t.equal(
    keyOf({ externalId: '27', eventId: 'a' }),
    keyOf({ externalId: '27', eventId: 'b' })
  )
  t.not(keyOf({ externalId: '27' }), keyOf({ externalId: '28' }))
})

t.test('jobs that name no object stand for each other only when they say the same', async t => {
  t.equal(keyOf({}), keyOf({}))
  t.not(keyOf({ page: 1 }), keyOf({ page: 2 }))
})

t.test('a job type names its object, and makes the requests for its runs', async t => {
  const variantId = '223e4567-e89b-12d3-a456-426614174000'
  const payload = Type.Object({ variantId: Id })
  const job = defineJob({ type: 'stock.move', lane: 'command', object: 'variantId', payload })
  const request = job.request({ variantId }, { connectionId, key: 'move:1', delayMs: 5 })

  t.match(request, {
    jobType: 'stock.move',
    connectionId,
    payload: { variantId },
    idempotencyKey: 'move:1',
    delayMs: 5
  })
  t.equal(job.objectKey(request), `${connectionId}:${variantId}`)
  t.equal(defineJob({ ...job, object: 'connection' }).objectKey(request), connectionId)
  t.equal(defineJob({ ...job, object: 'payload' }).objectKey(request), `${connectionId}:{"variantId":"${variantId}"}`)
})
