import { openDatabase } from '@linker/runtime'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes, openMode } from '../support/modes.ts'
import { openProxy, type Proxy } from '../support/proxy.ts'

/** More than the pool has connections. */
const statements = 12

t.test('a connection that goes silent while its pool prepares it does not hold a closing hub', {
  skip: !availableModes(process.env).includes('postgres') && 'needs PostgreSQL'
}, async t => {
  const state = await openMode('postgres', process.env)
  t.teardown(() => state.close())
  const proxy = await openProxy(t, state.variables.DATABASE_URL ?? '')
  const database = await openDatabase({ databaseUrl: proxy.url, dataDirectory: '' }, { warn: () => undefined })
  // Closing ends the pool only when a transaction has used it.
  await database.transaction(({ query }) => query('select 1'))
  const silent = proxy.silenceAfter('enable_seqscan')

  const asked = Promise.allSettled(Array.from({ length: statements }, () => database.query('select 1')))
  await silent
  database.hurry()
  await database.close()

  t.ok((await asked).some(({ status }) => status === 'rejected'), 'statements on such connections fail')
})

t.test('a transaction on a connection that went silent does not keep its locks', {
  skip: !availableModes(process.env).includes('postgres') && 'needs PostgreSQL'
}, async t => {
  const state = await openMode('postgres', process.env)
  t.teardown(() => state.close())
  const { DATABASE_URL: databaseUrl = '' } = state.variables
  const proxy = await openProxy(t, databaseUrl)
  const options = { dataDirectory: '' }
  const [silent, other] = await Promise.all([
    openDatabase({ ...options, databaseUrl: proxy.url }, { warn: () => undefined }),
    openDatabase({ ...options, databaseUrl }, { warn: () => undefined })
  ])
  t.teardown(() => Promise.all([silent.close(), other.close()]))
  await other.query('create table contended as select 0 as id')
  const change = 'update contended set id = id + 1'
  void proxy.silenceAfter('select 4711')

  await t.rejects(
    silent.transaction(async ({ query }) => {
      await query(change)
      await query('select 4711')
    }),
    { message: /did not answer/ }
  )

  await eventually(
    'the end of that transaction',
    async () =>
      other.query(change).then(() => true, (error: Error) => {
        if (/did not answer/.test(error.message)) return undefined
        throw error
      })
  )
})

const rounds = 2
/** The hub answers after 9 s. A busy machine takes a moment more. */
const longestAnswerMs = 12_000

t.test('while PostgreSQL is silent, each request to the API is answered in time', {
  skip: !availableModes(process.env).includes('postgres') && 'needs PostgreSQL'
}, async t => {
  const proxies: Proxy[] = []
  const hub = await buildTestHub(t, {
    mode: 'postgres',
    async reroute (variables) {
      const proxy = await openProxy(t, variables.DATABASE_URL ?? '')
      proxies.push(proxy)
      return { ...variables, DATABASE_URL: proxy.url }
    }
  })
  const { json } = await hub.call('POST', '/tokens', { body: { name: 'reader', scope: 'read' } })
  const reader = createApi(hub.url, (json as { token: string }).token)
  const create = { body: { name: 'x', platformType: 'mktb', credentials: 'k' } }
  const requests = [
    () => hub.call('GET', '/connections'),
    () => hub.call('GET', '/jobs'),
    () => hub.call('POST', '/connections', create),
    () => hub.call('POST', '/connections', { ...create, headers: { 'idempotency-key': randomUUID() } }),
    () => reader('GET', '/offers')
  ]
  const [proxy] = proxies
  proxy?.silence()
  // Each new connection begins with the name of its user.
  void proxy?.silenceAfter('user')

  for (let round = 1; round <= rounds; round += 1) {
    // More requests than the pool has connections.
    const answers = await Promise.all([...requests, ...requests, ...requests].map(async ask => {
      const from = performance.now()
      const { status } = await ask()
      return { status, ms: performance.now() - from }
    }))
    t.strictSame(answers.map(({ status }) => status), answers.map(() => 503), `round ${round}`)
    t.strictSame(answers.filter(({ ms }) => ms > longestAnswerMs), [], `round ${round}`)
  }
  // A hub that stops would wait for the silent server several times.
  proxy?.cut()
})
