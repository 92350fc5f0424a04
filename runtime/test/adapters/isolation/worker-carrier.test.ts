import { AdapterErrorCode } from '@linker/sdk'
import type { HostServices } from '@linker/sdk/host'
import t, { type Test } from 'tap'
import type { ThreadData } from '../../../src/adapters/isolation/protocol.ts'
import {
  createWorkerCarrier,
  type WorkerCarrier,
  type WorkerLimits
} from '../../../src/adapters/isolation/worker-carrier.ts'

const data: ThreadData = {
  adapter: 'zoomisbehaves.api.v1@1.0.0',
  entry: new URL('../../../../test/fixtures/zoo/misbehaves/index.js', import.meta.url).href,
  manifest: {
    adapterKey: 'zoomisbehaves.api.v1',
    platformType: 'zoomisbehaves',
    displayName: 'Misbehaves',
    capabilities: ['InventoryMaster'],
    permissions: { jobs: ['zoomisbehaves.*'] }
  },
  platformSettings: {},
  outboundAllow: []
}

const apiKey = 'a-key-that-nobody-may-read'
// A thread that still loads its modules does not answer either, and on a busy machine that lasts
// long. So only the tests of hanging have a short limit.
const limits = { pingMs: 50, hungMs: 600_000, memoryBytes: 200 * 1024 * 1024 } satisfies Partial<WorkerLimits>
const hungMs = 5_000

/** Services for an adapter that uses only its log. */
function servicesWithLog (log: HostServices['log']): HostServices {
  const refuse = () => Promise.reject(new Error('this adapter needs no service'))
  return new Proxy({}, { get: (_target, name) => name === 'log' ? log : refuse }) as HostServices
}

function open (
  t: Test,
  more: Partial<WorkerLimits> = {}
): { carrier: WorkerCarrier, log: string[], errors: unknown[], said: (text: string) => Promise<void> } {
  const log: string[] = []
  const sayings = new Map<string, () => void>()
  const errors: unknown[] = []
  const services = servicesWithLog((_level, fields: { err?: unknown }, message) => {
    log.push(message)
    sayings.get(message)?.()
    if (fields.err !== undefined) errors.push(fields.err)
  })
  const carrier = createWorkerCarrier({ data, services, limits: { ...limits, ...more } })
  t.teardown(() => carrier.close())
  const said = (text: string): Promise<void> =>
    new Promise(resolve => {
      sayings.set(text, resolve)
    })
  return { carrier, log, errors, said }
}

function run (carrier: WorkerCarrier, how: string, signal = new AbortController().signal): Promise<unknown> {
  return job(carrier, 'zoomisbehaves.misbehave.run', { how }, signal)
}

async function job (
  carrier: WorkerCarrier,
  jobType: string,
  payload: object,
  signal = new AbortController().signal
): Promise<unknown> {
  const { value } = await carrier.call({
    connection: {
      id: 'connection',
      platformType: 'zoomisbehaves',
      config: {},
      credentials: { apiKey },
      version: '1',
      credentialsVersion: '1'
    },
    target: { kind: 'job', jobType },
    args: [{ id: 'job', type: jobType, payload }],
    signal
  })
  return value
}

interface Death {
  reason: string
  memory: { heap: number, external: number, arrayBuffers?: number }
}

/**
 * Opens the adapter that floods. `ended` resolves with the log fields of its thread's death.
 * Nothing asks the thread while the call runs.
 */
function openFlooding (t: Test): { carrier: WorkerCarrier, ended: Promise<Death> } {
  const { promise: ended, resolve } = Promise.withResolvers<Death>()
  const services = servicesWithLog((_level, fields: Partial<Death>) => {
    if (fields.reason !== undefined) resolve(fields as Death)
  })
  const adapter = 'zoofloods.api.v1@1.0.0'
  const entry = new URL('../../../../test/fixtures/zoo/floods/index.js', import.meta.url).href
  const carrier = createWorkerCarrier({
    data: { ...data, adapter, entry },
    services,
    limits: { pingMs: 2_000, memoryBytes: limits.memoryBytes }
  })
  // An idle thread keeps no process alive.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(async () => {
    clearInterval(alive)
    await carrier.close()
  })
  return { carrier, ended }
}

for (const how of ['loop', 'allocate', 'allocate-buffers', 'exit', 'reject']) {
  t.test(`a thread that dies of '${how}' fails the calls under way, and the next call has another`, async t => {
    const { carrier, log } = open(t, how === 'loop' ? { hungMs } : {})
    const [culprit, neighbour] = await Promise.allSettled([run(carrier, how), run(carrier, 'hang')])

    t.match(culprit, {
      status: 'rejected',
      reason: { code: 'LNK_ADAPTER_CRASHED', message: /zoomisbehaves\.api\.v1@1\.0\.0/ }
    })
    t.match(neighbour, { status: 'rejected', reason: { code: 'LNK_ADAPTER_CRASHED' } })
    t.match(log, [/zoomisbehaves\.api\.v1@1\.0\.0.*misbehaves\/index\.js/], 'the log names the adapter and its file')
    t.match(carrier.health(), { state: 'degraded' })
    t.match(await job(carrier, 'zoomisbehaves.behave.run', {}), { result: { behaved: 'job' } })
  })
}

t.test('a thread that keeps too much after its call has ended is ended, and the log says how much', async t => {
  const { carrier, ended } = openFlooding(t)
  await job(carrier, 'zoofloods.flood.run', { how: 'buffers' }).catch(() => undefined)

  const { reason, memory } = await ended
  t.equal(reason, 'memory')
  const { heap, external, arrayBuffers = 0 } = memory
  t.ok(heap + Math.max(external, arrayBuffers) > limits.memoryBytes, JSON.stringify(memory))
  t.ok(external > 0 && heap > 0)
  t.equal(await job(carrier, 'zoofloods.quiet.run', {}), undefined, 'the next call has another')
})

for (const how of ['posts', 'posts-often']) {
  t.test(`a thread that sends the hub too much, as '${how}' does, is ended`, async t => {
    const { carrier, ended } = openFlooding(t)
    const failure = job(carrier, 'zoofloods.flood.run', { how })

    await t.rejects(failure, { code: 'LNK_ADAPTER_CRASHED' })
    t.match(await ended, { reason: 'flood' })
    t.equal(await job(carrier, 'zoofloods.quiet.run', {}), undefined, 'the next call has another')
  })
}

t.test('the log has an unhandled error without secrets, and the caller reads only that it happened', async t => {
  const { carrier, errors } = open(t)
  const failure: unknown = await run(carrier, 'reject').catch((error: unknown) => error)

  t.match(failure, { code: 'LNK_ADAPTER_CRASHED', message: /with an unhandled error, which the log shows$/ })
  t.match(errors, [{ message: 'nobody handles this rejection of [redacted]', stack: /misbehaves\/index\.js/ }])
  t.notMatch(errors.map(error => error instanceof Error ? error.stack : '').join(), apiKey)
})

t.test('an adapter that throws, or answers what cannot be copied, fails that call and nothing else', async t => {
  const { carrier } = open(t)

  await t.rejects(run(carrier, 'throw'), { name: 'TypeError' })
  await t.rejects(run(carrier, 'throw-string'), /a text, no error/)
  await t.rejects(run(carrier, 'return-function'), /could not be cloned/)
  const failure: unknown = await run(carrier, 'leak-secret').catch((error: unknown) => error)
  t.notMatch(failure instanceof Error ? `${failure.message} ${failure.stack} ${JSON.stringify(failure)}` : '', apiKey)
  t.match(carrier.health(), { state: 'ready' })
})

t.test('a call that ignores its signal is left behind', async t => {
  const { carrier } = open(t)
  const controller = new AbortController()
  const hanging = run(carrier, 'hang', controller.signal)
  controller.abort()

  await t.rejects(hanging, { code: AdapterErrorCode.transient })
  await t.rejects(run(carrier, 'hang', controller.signal), { code: AdapterErrorCode.transient })
  t.match(carrier.health(), { state: 'ready' })
})

t.test('an aborted call rejects after its thread has reported what the abort broke off', async t => {
  const { carrier, log, said } = open(t)
  const controller = new AbortController()
  const waiting = run(carrier, 'report-late', controller.signal)
  await said('waiting')
  controller.abort()

  await t.rejects(waiting, { code: AdapterErrorCode.transient })
  t.match(log, ['waiting', 'told to stop'])
})

t.test('a block shorter than the limit is waited for', async t => {
  const { carrier } = open(t, { hungMs: 60_000 })

  t.match(await run(carrier, 'block'), { result: { blocked: true } })
  t.match(carrier.health(), { state: 'ready' })
})

t.test('after too many deaths the adapter stays down and says so', async t => {
  const { carrier, log } = open(t, { mostRestarts: 2 })
  for (let death = 1; death <= 3; death++) await t.rejects(run(carrier, 'exit'), { code: 'LNK_ADAPTER_CRASHED' })

  await t.rejects(run(carrier, 'exit'), { code: 'LNK_ADAPTER_UNAVAILABLE' })
  t.match(carrier.health(), {
    state: 'crashed',
    code: 'LNK_ADAPTER_CRASHED',
    message: /zoomisbehaves\.api\.v1@1\.0\.0.*more than 2 times/
  })
  t.match(log.at(-1), /is not available any more/)
})

t.test('a new thread that does not find its module counts as a death', async t => {
  const services = new Proxy({}, { get: () => () => undefined }) as HostServices
  const carrier = createWorkerCarrier({
    data: { ...data, entry: 'file:///nowhere/index.js' },
    services,
    limits: { mostRestarts: 1 }
  })
  t.teardown(() => carrier.close())

  await t.rejects(run(carrier, 'exit'), /nowhere/)
  await t.rejects(run(carrier, 'exit'), /nowhere/)
  await t.rejects(run(carrier, 'exit'), { code: 'LNK_ADAPTER_UNAVAILABLE' })
})

t.test('a carrier that leaves ends its thread after the calls under way, and takes none then', async t => {
  const { carrier } = open(t)
  const controller = new AbortController()
  const hanging = run(carrier, 'hang', controller.signal)
  const closed = carrier.close('after calls')
  t.match(await job(carrier, 'zoomisbehaves.behave.run', {}), { result: { behaved: 'job' } }, 'it still serves')

  controller.abort()
  await t.rejects(hanging)
  await closed

  await t.rejects(job(carrier, 'zoomisbehaves.behave.run', {}), { code: 'LNK_ADAPTER_UNAVAILABLE' })
})
