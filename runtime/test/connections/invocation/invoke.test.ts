import { RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { CallOptions } from '../../../src/adapters/adapters.ts'
import { invokeCapability } from '../../../src/connections/invocation/invoke.ts'
import type { InvocationBody } from '../../../src/connections/invocation/schemas.ts'
import { AdapterUnavailableError, DatabaseUnavailableError } from '../../../src/errors.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from '../support.ts'

const adapter = fakeAdapter({
  capabilities: ['ProductMaster', 'acme/Labels'],
  credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
  described: {
    capabilities: { 'ProductMaster': ['getProduct', 'listProducts'], 'acme/Labels': null },
    credentials: { type: 'object', properties: { apiKey: { type: 'string', secret: true } } }
  }
})
const connection = fakeConnection({ capabilities: ['ProductMaster', 'acme/Labels'] })
const apiKey = 'a-key-of-some-length'
const opened = fakeOpened(connection, adapter)
const request = { at: '2026-01-31T10:00:00.000Z', method: 'GET', path: '/products/27', status: 200, ms: 5 }

/** Invokes with an adapter whose call does what `call` does. */
function invoke (
  call: (options: CallOptions) => Promise<unknown>,
  given: { capability?: string, method?: string, dryRun?: boolean, record?: InvocationBody['record'] } = {}
) {
  const { capability = 'ProductMaster', method = 'getProduct', dryRun = false, record = false } = given
  const snapshot = { ...opened.snapshot, credentials: { apiKey } }
  return invokeCapability(
    {
      connections: { openEnabled: async () => ({ ...opened, snapshot }) },
      adapters: { call: (_adapter, _connection, _target, _args, options) => call(options) }
    },
    connection.id,
    { capability, method, args: ['27'], dryRun, record },
    { requestId: 'a-request', log: { error: () => undefined } }
  )
}

t.test('the answer has the value and the requests, without secrets of the connection', async t => {
  const answer = await invoke(async ({ onRequest }) => {
    onRequest?.(request)
    return { name: `Lamp ${apiKey}` }
  })

  t.match(answer, { adapter: 'feed.api.v1@1.0.0', dryRun: false, success: true, value: { name: 'Lamp [redacted]' } })
  t.strictSame(answer.requests, [{ ...request, sent: true }])
  t.notOk('effects' in answer)
})

t.test('a failure is an answer, with the members that the platform refused', async t => {
  const refused = await invoke(async () => {
    throw new RejectedError('no such product', { fields: [{ pointer: '/id', code: 'unknown', message: 'is unknown' }] })
  })
  const broken = await invoke(async () => {
    throw new TypeError(`${apiKey} is not iterable`)
  })

  t.match(refused, {
    success: false,
    error: { code: 'LNK_ADAPTER_REJECTED', message: 'no such product', fields: [{ pointer: '/id' }] }
  })
  t.match(broken, { success: false, error: { code: 'LNK_ADAPTER_FAILED', message: '[redacted] is not iterable' } })
})

t.test('a recorded call answers its traffic with made-up persons, and others do not', async t => {
  const exchanges = [{
    request: { method: 'GET', path: '/buyers/27' },
    answer: { status: 200, body: { email: 'anna@shop.test', note: apiKey } }
  }]
  const call = async ({ onRequest, onRecorded }: CallOptions): Promise<void> => {
    onRequest?.(request)
    onRecorded?.({ exchanges, secrets: [] })
  }

  t.strictSame((await invoke(call, { record: true })).recording, {
    recordedAt: request.at,
    exchanges: [{
      ...exchanges[0],
      answer: { status: 200, body: { email: 'person1@example.com', note: '[redacted]' } }
    }]
  })
  t.notOk('recording' in await invoke(call))
})

t.test('several calls make one recording, in which a person and a secret are the same in all', async t => {
  const texts = ['anna@shop.test knows 0815-0815', 'ben@shop.test and anna@shop.test', 'anna@shop.test']
  let calls = 0
  const answer = await invoke(async ({ onRequest, onRecorded }) => {
    const page = calls += 1
    onRequest?.(request)
    const exchange = {
      request: { method: 'GET', path: '/buyers' },
      answer: { status: 200, text: texts[page - 1] ?? '' }
    }
    onRecorded?.({ exchanges: [exchange], secrets: page === 2 ? ['0815-0815'] : [] })
    return page === 1 ? { nextCursor: 'page-2' } : {}
  }, { record: { pages: 5, twice: true } })

  t.equal(calls, 3, 'two pages, and the first one again')
  t.strictSame(answer.recording?.exchanges.map(exchange => exchange.answer?.text), [
    'person1@example.com knows [redacted]',
    'person2@example.com and person1@example.com',
    'person1@example.com'
  ])
})

t.test('a call that fails after others records nothing', async t => {
  let calls = 0
  const answer = await invoke(async ({ onRecorded }) => {
    calls += 1
    if (calls === 2) throw new RejectedError('no such page')
    onRecorded?.({ exchanges: [], secrets: [] })
    return { nextCursor: 'page-2' }
  }, { record: { pages: 2, twice: false } })

  t.equal(answer.success, false)
  t.notOk('recording' in answer)
})

t.test('a dry run shows what was not sent and not stored', async t => {
  const answer = await invoke(async ({ onRequest, keep, isDryRun }) => {
    keep?.({ cursors: { labels: '3' }, jobs: [] }, 'another connection')
    keep?.({ cursors: { orders: '17' }, jobs: [] }, connection.id)
    onRequest?.({ ...request, method: 'PUT', status: null }, { body: '{"quantity":3}' })
    throw new RejectedError(String(isDryRun))
  }, { dryRun: true })

  t.match(answer, {
    dryRun: true,
    success: false,
    error: { message: 'true' },
    effects: { cursors: { orders: '17' }, jobs: [] }
  })
  t.match(answer.requests, [{ method: 'PUT', sent: false, body: '{"quantity":3}' }])
})

t.test('more requests than an answer holds are left out, but not those that were not sent', async t => {
  const { requests } = await invoke(async ({ onRequest }) => {
    for (let count = 0; count < 150; count++) onRequest?.(request)
    for (let count = 0; count < 150; count++) onRequest?.(request, {})
  })

  t.equal(requests.length, 200)
  t.equal(requests.filter(({ sent }) => !sent).length, 100)
})

t.test('a failure of the hub is no answer of the adapter', async t => {
  await t.rejects(invoke(() => Promise.reject(new DatabaseUnavailableError())), { code: 'LNK_DATABASE_UNAVAILABLE' })
  t.match(await invoke(() => Promise.reject(new AdapterUnavailableError('feed.api.v1', 'it crashed'))), {
    success: false,
    error: { code: 'LNK_ADAPTER_UNAVAILABLE' }
  })
})

t.test('a value that is no JSON is named, because the call may have had its effect', async t => {
  const circle: { of?: unknown } = {}
  circle.of = circle

  for (const value of [7n, circle]) {
    t.match(await invoke(async () => value), {
      success: false,
      error: { message: /^The method returned a value that is no JSON/ }
    })
  }
})

t.test('an unknown method is refused before the adapter is called', async t => {
  const never = async (): Promise<unknown> => t.fail('the adapter is not called')

  await t.rejects(invoke(never, { method: 'getprice' }), {
    code: 'LNK_REQUEST_INVALID',
    message: 'feed.api.v1 has no ProductMaster.getprice. It has getProduct, listProducts',
    errors: [{ pointer: '/method' }]
  })
  await t.rejects(invoke(never, { capability: 'acme/Labels', method: 'constructor' }), { code: 'LNK_REQUEST_INVALID' })
  await t.rejects(invoke(never, { capability: 'Marketplace' }), { code: 'LNK_CAPABILITY_NOT_SUPPORTED' })
  t.match(await invoke(async () => 1, { capability: 'acme/Labels', method: 'print' }), { success: true, value: 1 })
})
