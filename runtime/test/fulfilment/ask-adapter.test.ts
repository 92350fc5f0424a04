import { NotFoundError, RateLimitedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import type { Adapters } from '../../src/adapters/adapters.ts'
import { createAsk } from '../../src/fulfilment/ask-adapter.ts'
import { openedConnection } from '../connections/support.ts'

const opened = openedConnection({ methods: { Carrier: ['getLabel'] } })
const Label = Type.Object({ mediaType: Type.String() })

/** Answers one request by asking an adapter. `asked`: the call that the adapter got. */
async function request (answer: () => unknown) {
  const asked: Parameters<Adapters['call']>[] = []
  const ask = createAsk({
    adapters: {
      async call (...given) {
        asked.push(given)
        return answer()
      }
    }
  })
  const app = Fastify({ genReqId: () => 'request' })
  app.get(
    '/',
    async (incoming, reply) =>
      ask({ opened, capability: 'Carrier', method: 'getLabel', args: ['77'], answer: Label }, incoming, reply)
  )
  const { statusCode, headers, body } = await app.inject('/')
  await app.close()
  return { statusCode, headers, body: JSON.parse(body) as unknown, asked }
}
const fail = (error: Error) => () => {
  throw error
}

t.test('the answer of the adapter answers the request', async t => {
  const { statusCode, body, asked } = await request(() => ({ mediaType: 'application/pdf' }))

  t.equal(statusCode, 200)
  t.strictSame(body, { mediaType: 'application/pdf' })
  t.match(asked, [[
    opened.adapter,
    opened.snapshot,
    { kind: 'capability', capability: 'Carrier', method: 'getLabel' },
    ['77'],
    { requestId: 'request' }
  ]])
})

t.test('an answer that breaks the contract is a fault of the adapter', async t => {
  for (const answer of [null, {}, { mediaType: 7 }]) {
    t.match(await request(() => answer), { statusCode: 500, body: { code: 'LNK_ADAPTER_FAILED' } })
  }
})

t.test('an error of the adapter has the status of a route of the adapter', async t => {
  const missing = await request(fail(new NotFoundError('no such label')))
  t.match(missing, { statusCode: 404, body: { code: 'LNK_ADAPTER_NOT_FOUND' } })
  t.notOk('retry-after' in missing.headers)

  t.match(await request(fail(new RateLimitedError('slowly', { retryAfterMs: 1_500 }))), {
    statusCode: 503,
    headers: { 'retry-after': '2' },
    body: { code: 'LNK_ADAPTER_RATE_LIMITED' }
  })
})
