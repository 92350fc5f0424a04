import t from 'tap'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import {
  checkAdapters,
  checkConnections,
  compareAdapters,
  type AdapterFact,
  type ConnectionFact
} from '../../../src/cli/doctor/state.ts'

const adapter = (more: Partial<AdapterFact> = {}): AdapterFact => ({
  packageName: 'feed',
  adapterKey: 'feed.api.v1',
  platformType: 'feed',
  version: '1.2.0',
  state: 'ready',
  isDefault: true,
  webhooks: null,
  ...more
})

const connection = (more: Partial<ConnectionFact> = {}): ConnectionFact => ({
  id: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10',
  name: 'Shop',
  platformType: 'feed',
  status: 'active',
  statusReason: null,
  adapterKey: 'feed.api.v1',
  adapterVersion: '1.2.0',
  capabilities: ['OrderSource'],
  schedules: [],
  ...more
})

const marksOf = (findings: readonly Finding[]): string[] => findings.map(({ check, mark }) => `${check} ${mark}`)

function examine (connections: readonly ConnectionFact[], adapters = [adapter()], secrets: [string, string][] = []) {
  return checkConnections(connections, adapters, new Map(secrets))
}

t.test('an adapter that was restarted lately is a warning, and one that does not serve is a fault', async t => {
  const broken = adapter({
    adapterKey: null,
    version: null,
    platformType: null,
    state: 'failed',
    error: { code: 'LNK_ADAPTER_IMPORT_FAILED', message: 'no such module' }
  })
  const findings = checkAdapters([adapter(), adapter({ state: 'degraded' }), broken], {})

  t.strictSame(marksOf(findings), ['adapter ok', 'adapter warning', 'adapter failed'])
  t.match(findings[2]?.message, /^feed is failed\. LNK_ADAPTER_IMPORT_FAILED: no such module$/)
  t.strictSame(marksOf(checkAdapters([], {})), ['adapters warning'])
})

t.test('a deprecated adapter is a warning that says what to use', async t => {
  const [finding] = checkAdapters([adapter({ deprecated: 'use feed-v2' })], {})

  t.match(finding, { mark: 'warning', message: 'feed.api.v1@1.2.0 is ready, but deprecated: use feed-v2' })
})

t.test('a platform with several adapters needs a default, and a default needs an adapter that serves', async t => {
  const two = [adapter({ isDefault: false }), adapter({ adapterKey: 'feed.graph.v1', isDefault: false })]
  const crashed = [adapter({ state: 'crashed', isDefault: false })]
  const defaultsOf = (adapters: AdapterFact[], defaults: Record<string, string>): string[] =>
    marksOf(checkAdapters(adapters, defaults)).filter(mark => mark.startsWith('defaults'))

  t.strictSame(defaultsOf(two, {}), ['defaults warning'])
  t.strictSame(defaultsOf(two, { feed: 'feed.graph.v1' }), [])
  t.strictSame(defaultsOf(two, { feed: 'feed.soap.v1' }), ['defaults failed'])
  t.strictSame(defaultsOf(crashed, { feed: 'feed.api.v1' }), ['defaults failed'])
  t.strictSame(defaultsOf(crashed, {}), [], 'nothing is ambiguous about an adapter that does not serve')
})

t.test('the next start is compared by what serves, version by version', async t => {
  const next = [adapter({ version: '2.0.0' }), adapter({ adapterKey: 'other.api.v1', state: 'invalid' })]
  const running = [adapter(), adapter({ adapterKey: 'other.api.v1', state: 'degraded' })]

  t.strictSame(
    compareAdapters(next, running).map(({ mark, message }) => [mark, /[a-z]+\.api\.v1@[\d.]+/.exec(message)?.[0]]),
    [['failed', 'feed.api.v1@1.2.0'], ['failed', 'other.api.v1@1.2.0'], ['warning', 'feed.api.v1@2.0.0']]
  )
  t.strictSame(compareAdapters(running, running), [])
})

for (
  const [wanted, isServed] of [
    [null, true],
    ['latest', true],
    ['1.2.0', true],
    ['1.2.1', false],
    ['^1.1.0', true],
    ['^2.0.0', false],
    ['>=1.0.0', true]
  ] as const
) {
  t.test(`version 1.2.0 ${isServed ? 'serves' : 'does not serve'} a connection that wants ${wanted}`, async t => {
    const marks = marksOf(examine([connection({ adapterVersion: wanted })]))
    t.strictSame(marks, [isServed ? 'connections ok' : 'connection failed'])
  })
}

t.test('a range takes a pre-release, as it does in the hub', async t => {
  const findings = examine([connection({ adapterVersion: '^1.0.0' })], [adapter({ version: '1.3.0-rc.1' })])

  t.equal(findings[0]?.mark, 'ok')
})

t.test('a connection whose adapter does not serve has one finding, whatever else is wrong with it', async t => {
  const broken = connection({ status: 'error', statusReason: 'refused' })
  const failedAdapter = [adapter({ state: 'failed', webhooks: 'hmac' })]

  t.strictSame(marksOf(examine([broken], failedAdapter)), ['connection failed'])
})

t.test('the status of a connection is a warning, and a disabled connection is left alone', async t => {
  const failing = examine([connection({ status: 'error', statusReason: 'the key is refused' })])
  const disabled = examine([connection({ status: 'disabled', adapterVersion: '9.0.0' })])

  t.match(failing[0], { mark: 'warning', message: /the key is refused$/ })
  t.strictSame(marksOf(disabled), ['connections ok'])
  t.match(disabled[0]?.message, /^0 of 1 /)
})

const eventJobs = [{ eventType: 'order.created', jobType: 'marketplace.order.syncByExternalId' }]

t.test('an adapter with webhooks needs a secret, which the hub, the database or the environment knows', async t => {
  const taking = [adapter({ webhooks: 'hmac', eventJobs })]
  const secret: [string, string] = ['LINKER_WEBHOOK_SECRET__FEED', 's']

  t.match(examine([connection()], taking)[0], {
    mark: 'warning',
    remedy: 'set LINKER_WEBHOOK_SECRET__FEED__7E6F2B646B1D4D5E8A270D3F3A1E9D10 or LINKER_WEBHOOK_SECRET__FEED'
  })
  t.equal(examine([connection()], taking, [secret])[0]?.mark, 'ok')
  t.equal(examine([connection({ webhooksConfigured: true })], taking)[0]?.mark, 'ok')
  t.equal(examine([connection({ hasStoredSecret: true })], taking)[0]?.mark, 'ok', 'webhook install stored it')
  t.equal(examine([connection({ webhooksConfigured: false })], taking, [secret])[0]?.mark, 'warning')
})

t.test('a connection needs no webhooks when schedules often read the same', async t => {
  const taking = [adapter({ webhooks: 'hmac', eventJobs })]
  const polled = (more: object): Finding['mark'] | undefined => {
    const schedule = { job: 'marketplace.orders.poll', every: '2m', enabled: true, ...more }
    return examine([connection({ schedules: [schedule] })], taking)[0]?.mark
  }

  t.equal(polled({}), 'ok')
  t.equal(polled({ every: '1h' }), 'warning')
  t.equal(polled({ enabled: false }), 'warning')
  t.equal(polled({ job: 'marketplace.offers.sync' }), 'warning')
})

t.test('a pause is told with its author, its end and the way out, and a disabled connection is left alone', async t => {
  const since = '2026-01-31T11:00:00.000Z'
  const pause = { since, by: { kind: 'token' as const, name: 'ada', tokenId: null } }
  const pauses = [
    { ...pause, capability: null, reason: 'inventory', until: null },
    { ...pause, capability: 'OrderSource', reason: null, until: '2026-01-31T14:00:00.000Z' }
  ]
  const findings = examine([connection({ pauses })])

  t.strictSame(marksOf(findings), ['connections ok', 'connection warning', 'connection warning'])
  t.match(findings[1], {
    message: /^Shop \(.*\) is paused by ada until somebody resumes it: inventory; its jobs wait$/,
    remedy: /^linker connections resume \S+$/
  })
  t.match(findings[2], { message: /OrderSource paused by ada until 2026/, remedy: /--capability OrderSource$/ })
  t.strictSame(marksOf(examine([connection({ pauses, status: 'disabled' })])), ['connections ok'])
})

t.test('a running hub that serves older code than a folder holds is a warning with its remedy', async t => {
  const changed = { message: 'its folder has changed since this hub loaded it', remedy: 'restart the hub' }

  t.strictSame(compareAdapters([adapter()], [adapter({ changed })]), [{
    mark: 'warning',
    check: 'adapter',
    message: `the running hub serves older code of feed.api.v1@1.2.0: ${changed.message}`,
    remedy: 'restart the hub'
  }])
  t.strictSame(compareAdapters([adapter()], [adapter()]), [])
})
