import t from 'tap'
import { createTraces, upstreamCallOf } from '../../src/adapters/traces.ts'
import type { UpstreamCall } from '../../src/jobs/job.ts'

const endedAt = new Date('2026-01-01T00:00:10.000Z')
const event = {
  method: 'GET',
  origin: 'https://shop.example',
  path: '/api/products/5',
  status: 200,
  durationMs: 1_500.4,
  requestId: 'r-1'
}

t.test('a request goes to the call that sent it, until this call has ended', async t => {
  const { begin, end, note } = createTraces(() => endedAt)
  const [first, second]: [UpstreamCall[], UpstreamCall[]] = [[], []]
  const [firstId, secondId] = ['first', 'second']
  begin(firstId, call => first.push(call))
  begin(secondId, call => second.push(call))

  note(firstId, event)
  note(secondId, { ...event, path: '/other' })
  note(undefined, event)
  note('00000000-0000-4000-8000-000000000000', event)
  end(firstId)
  note(firstId, event)

  t.strictSame(first.map(({ path }) => path), ['/api/products/5'])
  t.strictSame(second.map(({ path }) => path), ['/other'])
})

t.test('the rest of a request that was not sent comes with it, no longer than it may be', t => {
  const { begin, note } = createTraces(() => endedAt)
  const unsent: unknown[] = []
  begin('call', (_call, rest) => unsent.push(rest))

  note('call', event)
  note('call', { ...event, unsent: { query: '?a=1', body: 'x'.repeat(20_000) } })
  note('call', { ...event, unsent: {} })

  t.strictSame(unsent, [undefined, { query: '?a=1', body: 'x'.repeat(16_384) }, {}])
  t.end()
})

t.test('a request is kept without its host, with the time when it was sent', async t => {
  t.strictSame(upstreamCallOf(event, endedAt), {
    at: '2026-01-01T00:00:08.500Z',
    method: 'GET',
    path: '/api/products/5',
    status: 200,
    ms: 1_500
  })
})

t.test('a request without an answer has no status, but a code', async t => {
  const { status: _status, ...unanswered } = event
  t.match(upstreamCallOf({ ...unanswered, error: 'ECONNREFUSED' }, endedAt), { status: null, error: 'ECONNREFUSED' })
  t.match(upstreamCallOf({ ...event, error: 'UND_ERR_SOCKET' }, endedAt), { status: 200, error: 'UND_ERR_SOCKET' })
})

t.test('an event that an adapter made up takes no more room than any other', async t => {
  const forged = { method: 'x'.repeat(10_000), path: 'y'.repeat(10_000), error: 'z'.repeat(10_000), status: 1.5 }
  for (const durationMs of [Number.NaN, Number.POSITIVE_INFINITY, -5]) {
    const call = upstreamCallOf({ ...event, ...forged, durationMs }, endedAt)
    t.match(call, { at: '2026-01-01T00:00:10.000Z', status: null, ms: 0, path: /^y{199}…$/ })
    t.strictSame([call.method.length, call.error?.length], [60, 60])
  }
})
