import t from 'tap'
import { retryMatching } from '../../src/cli/retry-matching.ts'
import type { OrderRetrySummary } from '../../src/orders/retries/schemas.ts'

const connectionId = '11111111-1111-4111-8111-111111111111'
const group = (code: string, count: number) => ({ connectionId, status: 'failed' as const, code, count })
const answerOf = (more: Partial<OrderRetrySummary>): OrderRetrySummary => ({
  dryRun: false,
  matched: 0,
  eligible: 0,
  retried: 0,
  remaining: 0,
  next: null,
  skipped: [],
  byGroup: [],
  sample: [],
  atMost: false,
  ...more
})

async function retryWith (answers: readonly OrderRetrySummary[]) {
  const asked: { body: unknown, key: unknown }[] = []
  const parts: number[] = []
  const sum = await retryMatching(
    {
      async call (_method, _path, body, { idempotencyKey } = {}) {
        asked.push({ body, key: idempotencyKey })
        return answers[asked.length - 1]
      }
    },
    { filter: { code: 'not-created' }, dryRun: false },
    ({ retried }) => parts.push(retried)
  )
  return { asked, parts, sum }
}

t.test('one request is enough when nothing remains', async t => {
  const answer = answerOf({ matched: 3, eligible: 2, retried: 2, skipped: [{ reason: 'created', count: 1 }] })
  const { asked, sum } = await retryWith([answer])

  t.strictSame(sum, answer)
  t.strictSame(asked.map(({ body }) => body), [
    { filter: { code: 'not-created' }, dryRun: false, after: undefined }
  ])
})

t.test('it goes on until no order remains, each time with a key of its own, and adds up', async t => {
  const { asked, parts, sum } = await retryWith([
    answerOf({
      matched: 12,
      eligible: 10,
      retried: 3,
      remaining: 6,
      next: 'fourth',
      skipped: [{ reason: 'created', count: 2 }, { reason: 'retry-failed', count: 1 }],
      byGroup: [group('not-created', 4)],
      atMost: true
    }),
    answerOf({
      matched: 7,
      eligible: 6,
      retried: 0,
      remaining: 5,
      next: 'fifth',
      skipped: [{ reason: 'retry-failed', count: 1 }, { reason: 'connection-disabled', count: 1 }],
      byGroup: [group('unmapped', 1)],
      atMost: true
    }),
    answerOf({ matched: 5, eligible: 5, retried: 5, byGroup: [group('not-created', 5)] })
  ])

  t.strictSame(asked.map(({ body }) => (body as { after?: string }).after), [undefined, 'fourth', 'fifth'])
  t.equal(new Set(asked.map(({ key }) => key)).size, 3)
  t.strictSame(parts, [3, 3, 8])
  t.strictSame(
    sum,
    answerOf({
      matched: 13,
      eligible: 10,
      retried: 8,
      skipped: [
        { reason: 'created', count: 2 },
        { reason: 'retry-failed', count: 2 },
        { reason: 'connection-disabled', count: 1 }
      ],
      byGroup: [group('not-created', 9), group('unmapped', 1)]
    })
  )
})
