import t from 'tap'
import { createQueueFigures } from '../../src/jobs/queue-figures.ts'
import metrics from '../../src/observability/metrics.ts'
import { authorized, buildHttpApp } from '../http/support.ts'
import { readPage } from '../pages.ts'
import { buildMetricsApp, figures, seriesOf } from './support.ts'

const shop = 'shopa.webservice.v1@1.0.0'
const run = {
  jobType: 'shopa.stock.refresh',
  adapter: shop,
  ending: 'succeeded',
  code: undefined,
  seconds: 0.03
} as const

t.test('a scrape needs the token and is answered in the text format', async t => {
  const { app } = await buildHttpApp(t, {
    routes: async scope => {
      await scope.register(metrics, {
        platforms: () => [],
        jobTypes: () => [],
        adapterStates: () => [],
        queueFigures: async () => undefined,
        streamSizes: async () => new Map(),
        attentionCounts: async () => undefined
      })
    }
  })
  const response = await app.inject({ url: '/metrics', headers: authorized })

  t.equal((await app.inject('/metrics')).statusCode, 401)
  t.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  t.match(response.payload, /^process_resident_memory_bytes \d+$/m)
})

t.test('deliveries are counted by platform and outcome', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  for (const outcome of ['accepted', 'accepted', 'duplicate', 'LNK_SIGNATURE_MISMATCH']) {
    metrics.webhook('shopa', outcome)
  }

  const expected = {
    'provider="shopa",outcome="accepted"': 2,
    'provider="shopa",outcome="duplicate"': 1,
    'provider="shopa",outcome="LNK_SIGNATURE_MISMATCH"': 1
  }
  t.strictSame(seriesOf(await scrape(), 'linker_webhooks_total'), expected)
  t.strictSame(seriesOf(await scrape(), 'linker_webhooks_total'), expected, 'a second scrape counts nothing twice')
})

t.test('a forged platform makes no series', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  for (let number = 0; number < 1_000; number++) metrics.webhook(`forged-${number}`, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND')
  for (const name of ['__proto__', 'constructor', 'a"b\n']) metrics.webhook(name, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND')

  t.strictSame(seriesOf(await scrape(), 'linker_webhooks_total'), {
    'provider="unknown",outcome="LNK_WEBHOOK_CONNECTION_NOT_FOUND"': 1_003
  })
})

t.test('accepted webhooks keep the name of their platform while the adapter is away', async t => {
  const { metrics, scrape } = await buildMetricsApp(t, { platforms: () => [] })
  metrics.webhook('shopa', 'LNK_SIGNATURE_MISMATCH')
  metrics.webhook('shopa', 'accepted')
  metrics.webhook('shopa', 'LNK_SIGNATURE_MISMATCH')

  t.strictSame(seriesOf(await scrape(), 'linker_webhooks_total'), {
    'provider="unknown",outcome="LNK_SIGNATURE_MISMATCH"': 1,
    'provider="shopa",outcome="accepted"': 1,
    'provider="shopa",outcome="LNK_SIGNATURE_MISMATCH"': 1
  })
})

t.test('a run is counted by how it ended, and its time in every case', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  metrics.jobSettled(run)
  metrics.jobSettled({ ...run, ending: 'dead', code: 'LNK_ADAPTER_REJECTED' })
  metrics.jobSettled({ ...run, ending: 'put back', code: 'LNK_ADAPTER_TRANSIENT', seconds: 7 })
  metrics.jobSettled({ ...run, adapter: undefined, ending: 'put back', seconds: 0 })
  const text = await scrape()

  const labels = `job_type="shopa.stock.refresh",adapter="${shop}"`
  t.strictSame(seriesOf(text, 'linker_jobs_ended_total'), {
    [`${labels},outcome="succeeded"`]: 1,
    [`${labels},outcome="dead"`]: 1
  })
  t.strictSame(seriesOf(text, 'linker_jobs_put_back_total'), {
    [`${labels},reason="LNK_ADAPTER_TRANSIENT"`]: 1,
    'job_type="shopa.stock.refresh",adapter="none",reason="stopped"': 1
  })
  t.match(seriesOf(text, 'linker_job_seconds_count'), { [labels]: 3 })
  t.match(seriesOf(text, 'linker_job_seconds_sum'), { [labels]: 7.06 })
})

t.test('an undeclared job type is `other`, and one of an adapter that came later is not', async t => {
  const types = ['shopa.stock.refresh']
  const { metrics, scrape } = await buildMetricsApp(t, { jobTypes: () => types })
  for (let number = 0; number < 100; number++) metrics.jobSettled({ ...run, jobType: `shopa.invented.${number}` })
  types.push('mktb.orders.poll')
  metrics.jobSettled({ ...run, jobType: 'mktb.orders.poll' })

  t.strictSame(seriesOf(await scrape(), 'linker_jobs_ended_total'), {
    [`job_type="other",adapter="${shop}",outcome="succeeded"`]: 100,
    [`job_type="mktb.orders.poll",adapter="${shop}",outcome="succeeded"`]: 1
  })
})

t.test('the codes of an adapter are `other` beyond thirty, and a malformed one always is', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  metrics.jobSettled({ ...run, ending: 'put back', code: 'LNK_key-4711' })
  for (let number = 0; number < 100; number++) {
    metrics.jobSettled({ ...run, ending: 'put back', code: `LNK_INVENTED_${number}` })
  }
  metrics.jobSettled({ ...run, adapter: 'mktb.shopapi.v1@2.0.0', ending: 'put back', code: 'LNK_ADAPTER_TRANSIENT' })
  const reasons = seriesOf(await scrape(), 'linker_jobs_put_back_total')

  t.equal(Object.keys(reasons).length, 32)
  t.match(reasons, {
    [`job_type="shopa.stock.refresh",adapter="${shop}",reason="other"`]: 71,
    'job_type="shopa.stock.refresh",adapter="mktb.shopapi.v1@2.0.0",reason="LNK_ADAPTER_TRANSIENT"': 1
  })
})

t.test('requests to platforms are counted by the class of their status', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  for (const status of [200, 204, 429, 503, undefined, 0, Number.NaN, 1e9]) {
    metrics.upstream(shop, { ...(status === undefined ? {} : { status }), durationMs: 250 })
  }
  const text = await scrape()

  t.strictSame(seriesOf(text, 'linker_upstream_requests_total'), {
    [`adapter="${shop}",status="2xx"`]: 2,
    [`adapter="${shop}",status="4xx"`]: 1,
    [`adapter="${shop}",status="5xx"`]: 1,
    [`adapter="${shop}",status="none"`]: 4
  })
  t.match(seriesOf(text, 'linker_upstream_seconds_sum'), { [`adapter="${shop}"`]: 2 })
})

t.test('calls on an adapter are counted by target and outcome, and no call makes series without end', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  metrics.call(shop, 'InventoryMaster.getStock', 'succeeded', 0.2)
  metrics.call(shop, 'InventoryMaster.getStock', 'LNK_ADAPTER_TRANSIENT', 3)
  for (let number = 0; number < 500; number++) metrics.call(shop, `shopa.invented.${number}`, 'succeeded', 0)
  metrics.blocked(shop, 1.5)
  const text = await scrape()

  t.match(seriesOf(text, 'linker_adapter_calls_total'), {
    [`adapter="${shop}",target="InventoryMaster.getStock",outcome="succeeded"`]: 1,
    [`adapter="${shop}",target="InventoryMaster.getStock",outcome="LNK_ADAPTER_TRANSIENT"`]: 1,
    [`adapter="${shop}",target="other",outcome="succeeded"`]: 301
  })
  t.match(seriesOf(text, 'linker_adapter_call_seconds_sum'), {
    [`adapter="${shop}",target="InventoryMaster.getStock"`]: 3.2
  })
  t.match(seriesOf(text, 'linker_adapter_blocked_seconds_sum'), { [`adapter="${shop}"`]: 1.5 })
})

t.test('an adapter is in one state', async t => {
  const states = new Map([[shop, 'failed'], ['mktb.shopapi.v1@1.0.0', 'ready']])
  const { scrape } = await buildMetricsApp(t, { adapterStates: () => states })
  await scrape()
  states.set(shop, 'degraded')

  t.strictSame(seriesOf(await scrape(), 'linker_adapter_state'), {
    [`adapter="${shop}",state="degraded"`]: 1,
    'adapter="mktb.shopapi.v1@1.0.0",state="ready"': 1
  })
})

t.test('an adapter has fifty names of its own; further and malformed ones are `other`', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  for (const name of ['Orders', '1st', 'a-b', 'a'.repeat(65), '', '__proto__']) metrics.adapterCount(shop, name, 1)
  for (let number = 0; number < 60; number++) metrics.adapterCount(shop, `name_${number}`, 2)
  metrics.adapterCount(shop, 'name_0', 2)
  metrics.adapterObserve(shop, 'name_0', 9)
  metrics.adapterObserve(shop, 'name_60', 5)
  metrics.adapterCount('mktb.shopapi.v1@1.0.0', 'name_60', 1)
  const text = await scrape()

  const counts = seriesOf(text, 'linker_adapter_events_total')
  t.equal(Object.keys(counts).length, 52)
  t.match(counts, {
    [`adapter="${shop}",name="name_0"`]: 4,
    [`adapter="${shop}",name="other"`]: 26,
    'adapter="mktb.shopapi.v1@1.0.0",name="name_60"': 1
  })
  t.strictSame(seriesOf(text, 'linker_adapter_values_sum'), {
    [`adapter="${shop}",name="name_0"`]: 9,
    [`adapter="${shop}",name="other"`]: 5
  })
  t.match(seriesOf(text, 'linker_adapter_values'), { [`quantile="0.5",adapter="${shop}",name="name_0"`]: 9 })
})

t.test('an invalid number is left out and breaks nothing', async t => {
  const { metrics, scrape } = await buildMetricsApp(t)
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, '5'] as number[]) {
    metrics.adapterCount(shop, 'orders', bad)
  }
  metrics.adapterCount(shop, 'orders', 3)
  for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY, '5'] as number[]) {
    metrics.adapterObserve(shop, 'lag', bad)
  }
  metrics.adapterObserve(shop, 'lag', -4)
  metrics.upstream(shop, { durationMs: Number.NaN })
  const text = await scrape()

  t.match(seriesOf(text, 'linker_adapter_events_total'), { [`adapter="${shop}",name="orders"`]: 3 })
  t.match(seriesOf(text, 'linker_adapter_values_sum'), { [`adapter="${shop}",name="lag"`]: -4 })
  t.notMatch(text, /linker_\S+ (?:NaN|Nan|.*Inf$)/m)
})

t.test('two hubs in one process count for themselves, and one goes on when the other is closed', async t => {
  const [one, two] = [await buildMetricsApp(t), await buildMetricsApp(t)]
  one.metrics.webhook('shopa', 'accepted')
  two.metrics.webhook('mktb', 'accepted')

  t.strictSame(seriesOf(await one.scrape(), 'linker_webhooks_total'), { 'provider="shopa",outcome="accepted"': 1 })
  await one.close()
  t.strictSame(seriesOf(await two.scrape(), 'linker_webhooks_total'), { 'provider="mktb",outcome="accepted"': 1 })
})

t.test('a scrape shows the queue, and leaves it out while the database fails', async t => {
  const database = { isBroken: false, nowMs: 0 }
  const { scrape } = await buildMetricsApp(t, {
    queueFigures: createQueueFigures({
      nowMs: () => database.nowMs,
      async query<Row extends object> () {
        if (database.isBroken) throw new Error('password of the server: hunter2')
        return [figures as Row]
      }
    })
  })
  const good = await scrape()
  t.strictSame(seriesOf(good, 'linker_queue_jobs'), { 'state="queued"': 3, 'state="waiting"': 2, 'state="running"': 1 })
  t.strictSame(seriesOf(good, 'linker_queue_oldest_seconds'), { '': 42.5 })

  database.isBroken = true
  database.nowMs = 5_000
  const bad = await scrape()
  t.strictSame([seriesOf(bad, 'linker_queue_jobs'), seriesOf(bad, 'linker_queue_oldest_seconds')], [{}, {}])
  t.match(bad, /^process_cpu_seconds_total /m)
  t.notMatch(bad, 'hunter2')
})

t.test('the table of the page lists every series with its labels, and no other', async t => {
  const page = await readPage('monitoring')
  const listed = [...page.matchAll(/^\| `(linker_[a-z_]+)(?:\{([a-z_, ]+)\})?` \| .+ \|$/gm)].map(
    ([, name, labels = '']) => `${name} ${labels}`
  )
  const { metrics, scrape } = await buildMetricsApp(t, {
    adapterStates: () => [[shop, 'ready']],
    streamSizes: async () => new Map([['jobs.sync', 1]]),
    attentionCounts: async () => new Map([['oversell', 1]])
  })
  metrics.webhook('shopa', 'accepted')
  metrics.refusedToken('LNK_UNAUTHORIZED')
  metrics.jobSettled(run)
  metrics.jobSettled({ ...run, ending: 'put back' })
  metrics.upstream(shop, { status: 200, durationMs: 1 })
  metrics.upstreamWait(shop, 'budget')
  metrics.breakerOpened(shop)
  metrics.call(shop, 'test', 'succeeded', 1)
  metrics.blocked(shop, 1)
  metrics.adapterCount(shop, 'a', 1)
  metrics.adapterObserve(shop, 'a', 1)
  const text = await scrape()
  const names = [...text.matchAll(/^# TYPE (linker_\S+)/gm)].map(match => match[1] ?? '')
  const labelsOf = (name: string): string =>
    [...(new RegExp(`^${name}(?:_count)?(?:\\{(?!.*quantile)(.*)\\})? \\S+$`, 'm').exec(text)?.[1] ?? '')
      .matchAll(/(\w+)="/g)].map(match => match[1]).join(', ')

  t.strictSame(listed.toSorted(), names.map(name => `${name} ${labelsOf(name)}`).toSorted())
})

t.test('a scrape shows the bytes of the streams, and leaves them out while their server is silent', async t => {
  const sizes = new Map([['events.inbound.webhooks', 1_000], ['jobs.sync', 20]])
  const good = await (await buildMetricsApp(t, { streamSizes: async () => sizes })).scrape()
  const bad = await (await buildMetricsApp(t, { streamSizes: () => Promise.reject(new Error('away')) })).scrape()

  t.strictSame(seriesOf(good, 'linker_stream_bytes'), {
    'stream="events.inbound.webhooks"': 1_000,
    'stream="jobs.sync"': 20
  })
  t.strictSame(seriesOf(bad, 'linker_stream_bytes'), {})
})
