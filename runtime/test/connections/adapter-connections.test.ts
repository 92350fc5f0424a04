import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createConnectionServices, type PlatformConnectionsOptions } from '../../src/connections/adapter-connections.ts'
import type { ConnectionBody } from '../../src/connections/schemas.ts'
import { AccountConnectedError, AdapterFailedError, ConnectionCreationFailedError } from '../../src/errors.ts'
import { refusal } from '../../src/http/refusal.ts'
import { fakeAdapter, fakeConnection } from './support.ts'

type Store = ReturnType<PlatformConnectionsOptions['connections']>

const own = fakeConnection({ config: { shop: 'a' }, credentialsRef: 'db:secret' })
const foreign = fakeConnection({ platformType: 'mail' })
const wanted = { name: 'Feed', config: {}, credentials: null, credentialsLabel: undefined, values: {} }

function open (store: Partial<Store> = {}) {
  const failures: Error[] = []
  const recorded: unknown[][] = []
  const services = createConnectionServices({
    connections: () => ({
      find: async id => [own, foreign].find(connection => connection.id === id),
      create: async () => ({ connection: own, warnings: [] }),
      replaceCredentials: async () => own,
      ...store
    }),
    adapter: fakeAdapter({ version: '1.2.0' }),
    async query (_text, values = []) {
      recorded.push([...values])
      return []
    },
    onFailure (error) {
      failures.push(error)
    }
  })
  return { ...services, failures, recorded }
}

t.test('an adapter reads a connection of its platform, without the reference to its credentials', async t => {
  const { getConnection } = open()

  t.strictSame(await getConnection(own.id), { id: own.id, name: 'Feed', status: 'active', config: { shop: 'a' } })
  for (const id of [foreign.id, randomUUID(), 'no id at all']) t.equal(await getConnection(id), undefined)
})

t.test('a request for a connection of another platform is recorded once, and names the adapter', async t => {
  const { getConnection, replaceConnectionCredentials, recorded } = open()
  await getConnection(own.id)
  await getConnection(randomUUID())
  await getConnection(foreign.id)
  await replaceConnectionCredentials(foreign.id, { key: 'k' }, {})
  await getConnection(foreign.id)

  t.strictSame(recorded.map(([, kind, name, , , action, connectionId]) => [kind, name, action, connectionId]), [
    ['adapter', 'feed.api.v1@1.2.0', 'connection.deny', foreign.id]
  ])
})

t.test('an adapter creates connections of its own version, and a repeat of its key means the same one', async t => {
  const created: [ConnectionBody, string][] = []
  const { createConnection } = open({
    async create (body, id) {
      created.push([body, id])
      return { connection: own, warnings: [] }
    }
  })
  await createConnection(wanted, 'account-1')
  await createConnection({ ...wanted, credentials: { key: 'k' } }, 'account-1')
  await createConnection(wanted, 'account-2')

  const [first, again, other] = created
  t.match(first?.[0], { platformType: 'feed', adapterKey: 'feed.api.v1', adapterVersion: '1.2.0' })
  t.equal(first?.[0].credentials, undefined, 'null means that the adapter gives none')
  t.strictSame(again?.[0].credentials, { key: 'k' })
  t.equal(first?.[1], again?.[1])
  t.not(first?.[1], other?.[1])
})

t.test('a refusal is data, because an error would lose its members between threads', async t => {
  const problems = [{ pointer: '/config/shop', code: 'required', message: 'is required' }]
  const { createConnection, failures } = open({ create: () => Promise.reject(refusal(problems)) })

  t.strictSame(await createConnection(wanted, 'a'), { problems })
  t.strictSame(failures, [])
})

t.test('a failure to store is told without its reason, which only the log of the hub has', async t => {
  const failure = Object.assign(new ConnectionCreationFailedError(), { cause: new Error('secret-1') })
  const { createConnection, failures } = open({ create: () => Promise.reject(failure) })
  const answer = await createConnection(wanted, 'a')

  t.match(answer, { failure: { code: 'LNK_CONNECTION_CREATION_FAILED' } })
  t.notMatch(JSON.stringify(answer), 'secret-1')
  t.strictSame(failures, [failure])
})

t.test('a refusal of the account is told, and is no failure of the hub', async t => {
  const refused = new AccountConnectedError('My market', own.id)
  const { createConnection, failures } = open({ create: () => Promise.reject(refused) })

  t.strictSame(await createConnection(wanted, 'a'), {
    failure: { code: 'LNK_ACCOUNT_CONNECTED', message: refused.message }
  })
  t.strictSame(failures, [])
})

t.test('any other error stays one', async t => {
  const failure = new AdapterFailedError('feed')
  const { createConnection, failures } = open({ create: () => Promise.reject(failure) })

  await t.rejects(createConnection(wanted, 'a'), failure)
  t.strictSame(failures, [])
})

t.test('an adapter replaces credentials of its platform only', async t => {
  const replaced: unknown[] = []
  const { replaceConnectionCredentials } = open({
    async replaceCredentials (...args) {
      replaced.push(args)
      return own
    }
  })
  const answer = await replaceConnectionCredentials(own.id, { key: 'k' }, { account: 'a' })

  t.strictSame(answer, { connection: { id: own.id, name: 'Feed' } })
  t.equal(await replaceConnectionCredentials(foreign.id, { key: 'k' }, {}), undefined)
  t.strictSame(replaced, [[own.id, { key: 'k' }, { values: { account: 'a' }, mustKnowAccount: true }]])
})
