import {
  context as contexts,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Tracer
} from '@opentelemetry/api'
import { hash } from 'node:crypto'

// The hub makes spans for whatever SDK of OpenTelemetry the operator registers before it starts.
// Webhook, event and jobs carry the id of the request that began them, through the streams and the
// ledger. So the id of the trace is made of it, and nothing else has to be carried.

/** A span under way. */
export interface OpenSpan {
  /** Adds a request to a platform that has ended. */
  call(call: { at: string, method: string, status: number | null, ms: number, error?: string }): void
  /** `code`: why it failed; undefined after a success. */
  end(code: string | undefined): void
}

const name = 'linker'

/** The tracer of the operator's SDK, or undefined when there is none. */
function findTracer (): Tracer | undefined {
  const provider = trace.getTracerProvider()
  const isAbsent = provider instanceof ProxyTracerProvider && provider.getDelegateTracer(name) === undefined
  return isAbsent ? undefined : provider.getTracer(name)
}

/** The trace of a request. Processes that never met agree on it. */
function contextOf (requestId: string | undefined): Context {
  if (requestId === undefined) return ROOT_CONTEXT
  const digest = hash('sha256', requestId)
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true
  })
}

/** Records a delivery that was accepted. Does nothing without an SDK. */
export function recordDelivery (requestId: string, startMs: number, attributes: Attributes): void {
  findTracer()
    ?.startSpan('accept webhook', { kind: SpanKind.SERVER, startTime: startMs, attributes }, contextOf(requestId))
    .end()
}

/** Begins the span of a run of a job. Undefined without an SDK. */
export function beginRun (
  jobType: string,
  requestId: string | undefined,
  attributes: Attributes
): OpenSpan | undefined {
  const tracer = findTracer()
  if (tracer === undefined) return undefined
  const span = tracer.startSpan(`run ${jobType}`, { kind: SpanKind.CONSUMER, attributes }, contextOf(requestId))
  const own = trace.setSpan(contexts.active(), span)
  return {
    call ({ at, method, status, ms, error }) {
      const startTime = Date.parse(at)
      // Without path and host: they may name an order, or hold a secret.
      const known = status === null ? {} : { 'http.response.status_code': status }
      const made = tracer.startSpan(method, {
        kind: SpanKind.CLIENT,
        startTime,
        attributes: { 'http.request.method': method, ...known }
      }, own)
      if (error !== undefined || status === null || status >= 400) {
        made.setStatus({ code: SpanStatusCode.ERROR, ...(error === undefined ? {} : { message: error }) })
      }
      made.end(startTime + ms)
    },
    end (code) {
      if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: code })
      span.end()
    }
  }
}
