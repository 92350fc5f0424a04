import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import type { Database } from '../../src/database/database.ts'
import health from '../../src/observability/health.ts'
import type { ServerWarning, StreamPort } from '../../src/streams/port.ts'

interface Servers {
  database?: () => Promise<void>
  streams?: () => Promise<void>
  inspect?: () => Promise<ServerWarning[]>
}

const answers = async (): Promise<void> => undefined
const isAway = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED postgres:secret-1@10.0.0.1'))

async function buildApp (
  t: Test,
  { database = answers, streams = answers, inspect = async () => [] }: Servers = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(fp(async scope => {
    scope.decorate('database', { ping: database } as Partial<Database> as Database)
  }, { name: 'database' }))
  await app.register(fp(async scope => {
    scope.decorate('streams', { ping: streams, inspect } as Partial<StreamPort> as StreamPort)
  }, { name: 'streams' }))
  await app.register(health)
  return app
}

t.test('a server that is away turns readiness red, and its error stays inside', async t => {
  const app = await buildApp(t, { database: isAway })
  const answer = await app.inject('/readyz')

  t.equal(answer.statusCode, 503)
  t.match(answer.json(), {
    status: 'failed',
    checks: [{ name: 'database', status: 'failed' }, { name: 'streams', status: 'ok' }]
  })
  t.notMatch(answer.body, 'secret-1')
  t.equal((await app.inject('/healthz')).statusCode, 200, 'a restart would not bring the server back')
})

t.test('a server that answers but takes no writes turns readiness red, and the reason is named', async t => {
  const refuse = (message: string, code?: string) => () => Promise.reject(Object.assign(new Error(message), { code }))
  const app = await buildApp(t, {
    database: refuse('cannot execute INSERT in a read-only transaction at 10.0.0.1', '25006'),
    streams: refuse("READONLY You can't write against a read only replica. script: secret-1")
  })
  const answer = await app.inject('/readyz')

  t.equal(answer.statusCode, 503)
  t.match(answer.json(), {
    checks: [
      { name: 'database', status: 'failed', message: /cannot write: PostgreSQL is read-only/ },
      { name: 'streams', status: 'failed', message: 'the streams cannot write: Redis is a replica' }
    ]
  })
  t.notMatch(answer.body, /secret-1|10\.0\.0\.1/)
})

t.test('a server that never answers counts as away after two seconds', async t => {
  const asked = Promise.withResolvers<void>()
  const app = await buildApp(t, {
    streams () {
      asked.resolve()
      return new Promise(() => undefined)
    }
  })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  const answering = app.inject('/readyz')
  await asked.promise
  mock.timers.tick(2_000)

  t.match((await answering).json(), { checks: [{ status: 'ok' }, { name: 'streams', status: 'failed' }] })
})

t.test('a server with bad settings is degraded and still gets requests', async t => {
  const warning: ServerWarning = { about: 'settings', message: 'appendonly is no' }
  const degraded = await (await buildApp(t, { inspect: async () => [warning] })).inject('/readyz')
  let inspections = 0
  const red = await buildApp(t, {
    streams: isAway,
    async inspect () {
      inspections += 1
      return []
    }
  })
  await red.inject('/readyz')

  t.equal(degraded.statusCode, 200)
  t.match(degraded.json(), {
    status: 'degraded',
    checks: [{}, {}, { name: 'streams', status: 'degraded', message: 'appendonly is no' }]
  })
  t.equal(inspections, 0, 'a server that is away is not asked for its settings')
})

t.test('a hub that stops is red and gives up each connection with its last answer', async t => {
  const app = await buildApp(t)
  const before = await app.inject('/healthz')
  app.readiness.turnRed()
  const [ready, alive] = [await app.inject('/readyz'), await app.inject('/healthz')]

  t.equal(before.headers.connection, 'keep-alive')
  t.equal(app.readiness.stopping.aborted, true)
  t.equal(ready.statusCode, 503)
  t.match(ready.json(), { status: 'failed', checks: [{ name: 'process', status: 'failed' }] })
  t.equal(alive.statusCode, 200)
  t.strictSame([ready.headers.connection, alive.headers.connection], ['close', 'close'])
})

t.test('closing turns readiness red before anything is closed', async t => {
  const app = await buildApp(t)
  let wasRed = false
  app.addHook('onClose', async () => {
    wasRed = app.readiness.stopping.aborted
  })
  await app.close()

  t.equal(wasRed, true)
})
