import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import t from 'tap'
import { beginRun, recordDelivery } from '../../src/observability/spans.ts'

t.test('without an SDK there are no spans', async t => {
  t.equal(beginRun('shop.order.sync', 'request-1', {}), undefined)
  recordDelivery('request-1', 0, {})
})

t.test('with an SDK, webhook, jobs and requests to platforms are one trace', async t => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  t.teardown(() => {
    trace.disable()
  })
  const at = '2026-01-31T10:00:00.000Z'
  recordDelivery('request-1', Date.parse(at), { 'linker.connection.id': 'c' })
  const first = beginRun('shop.stock.sync', 'request-1', { 'linker.job.id': 'j' })
  first?.call({ at, method: 'GET', status: 200, ms: 12 })
  first?.call({ at, method: 'PATCH', status: null, ms: 5, error: 'ECONNREFUSED' })
  first?.end(undefined)
  beginRun('shop.offer.update', 'request-1', {})?.end('LNK_ADAPTER_REJECTED')
  beginRun('shop.sweep', undefined, {})?.end(undefined)
  beginRun('shop.sweep', 'request-2', {})?.end(undefined)

  const spans = exporter.getFinishedSpans()
  const named = (name: string) => spans.find(span => span.name === name)
  const [delivery, run, get, patch] = ['accept webhook', 'run shop.stock.sync', 'GET', 'PATCH'].map(named)
  t.equal(spans.length, 7)
  t.equal(new Set(spans.map(span => span.spanContext().traceId)).size, 3, 'one trace of each request')
  t.equal(delivery?.spanContext().traceId, named('run shop.offer.update')?.spanContext().traceId)
  t.strictSame([delivery?.kind, run?.kind, get?.kind], [SpanKind.SERVER, SpanKind.CONSUMER, SpanKind.CLIENT])
  t.equal(get?.parentSpanContext?.spanId, run?.spanContext().spanId)
  t.strictSame(get?.attributes, { 'http.request.method': 'GET', 'http.response.status_code': 200 })
  t.strictSame(get?.duration, [0, 12_000_000])
  t.match(patch?.status, { code: SpanStatusCode.ERROR, message: 'ECONNREFUSED' })
  t.match(named('run shop.offer.update')?.status, { code: SpanStatusCode.ERROR, message: 'LNK_ADAPTER_REJECTED' })
  t.equal(run?.status.code, SpanStatusCode.UNSET)
})
