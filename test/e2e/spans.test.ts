import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | null
}

/** What an operator loads before the hub: an SDK whose exporter writes a line for each span. */
const registration = (file: string): string => `
  import { appendFileSync } from 'node:fs'
  import { trace } from ${JSON.stringify(import.meta.resolve('@opentelemetry/api'))}
  import sdk from ${JSON.stringify(import.meta.resolve('@opentelemetry/sdk-trace-base'))}
  const exporter = {
    export (spans, done) {
      for (const span of spans) {
        const { traceId, spanId } = span.spanContext()
        const line = { name: span.name, traceId, spanId, parentSpanId: span.parentSpanContext?.spanId ?? null }
        appendFileSync(${JSON.stringify(file)}, JSON.stringify(line) + '\\n')
      }
      done({ code: 0 })
    },
    async shutdown () {}
  }
  trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({
    spanProcessors: [new sdk.SimpleSpanProcessor(exporter)]
  }))`

t.test('an SDK that the operator loads gets one trace from the webhook to the requests to the platform', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa')
  await hub.stop()
  const [file, module] = [join(hub.directory, 'spans.jsonl'), join(hub.directory, 'register.mjs')]
  await writeFile(module, registration(file))
  const traced = await startHubProcess(hub.directory, { ...hub.variables, NODE_OPTIONS: `--import=${module}` })
  t.teardown(() => traced.kill())
  const requestId = randomUUID()
  const event = { eventType: 'product.saved', objectType: 'product', externalId: '27', requestId }
  t.equal((await hub.deliver(shop, event, traced.url)).status, 202)

  const ofTrace = await eventually('the spans', async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    const spans = text.trimEnd().split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Span)
    const accepted = spans.find(({ name }) => name === 'accept webhook')
    const found = spans.filter(({ traceId }) => traceId === accepted?.traceId)
    return found.some(({ name }) => name === 'run master.product.syncByExternalId') ? found : undefined
  })

  const run = ofTrace.find(({ name }) => name === 'run master.product.syncByExternalId')
  t.ok(ofTrace.some(({ name, parentSpanId }) => name === 'GET' && parentSpanId === run?.spanId))
})
