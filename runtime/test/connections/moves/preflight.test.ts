import { RejectedError } from '@linker/sdk'
import type { ConnectionSnapshot } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { LoadedAdapter } from '../../../src/adapters/load.ts'
import type { WebhookRules } from '../../../src/connections/entity.ts'
import type { EventJobsOf } from '../../../src/connections/moves/event-changes.ts'
import {
  confirmationsOf,
  departureOwner,
  describeMove,
  findObstacles,
  secretMembers,
  tryDestination,
  type Destination
} from '../../../src/connections/moves/preflight.ts'
import { fakeAdapter, fakeConnection } from '../support.ts'

const noEvents = () => new Map<string, string>()

const secretText = Type.Optional(Type.String({ secret: true }))
const credentials = Type.Object({ key: Type.String({ minLength: 3 }) })

const to = (adapter: LoadedAdapter, more: Partial<Destination> = {}): Destination => ({
  adapter,
  adapterVersion: adapter.version,
  config: {},
  capabilities: adapter.supportedCapabilities,
  steps: [],
  ...more
})

t.test('a move is described by what it changes', async t => {
  const from = fakeAdapter({ permissions: { http: ['https://a.example'], routes: true } })
  const next = fakeAdapter({
    version: '2.0.0',
    capabilities: ['InventoryMaster', 'OfferManager'],
    permissions: { http: ['https://a.example', 'https://b.example'] }
  })
  const connection = fakeConnection({ capabilities: ['InventoryMaster', 'OrderSource'], config: { shop: 'a' } })
  const step = {
    of: 'target',
    index: 3,
    direction: 'up',
    from: 'feed.api.v1',
    to: '2.0.0',
    isReversible: false
  } as const
  const move = describeMove(
    { connection, adapter: from },
    to(next, { adapterVersion: '^2.0.0', config: { store: 'a' }, steps: [step] }),
    noEvents
  )

  t.strictSame(move.from, { adapterKey: 'feed.api.v1', adapterVersion: '1.0.0', version: '1.0.0' })
  t.strictSame(move.to, { adapterKey: 'feed.api.v1', adapterVersion: '^2.0.0', version: '2.0.0' })
  t.strictSame(move.changes.capabilities, { lost: ['OrderSource'], gained: ['OfferManager'] })
  t.strictSame(move.changes.config, [{ pointer: '/shop', from: 'a' }, { pointer: '/store', to: 'a' }])
  t.strictSame([move.changes.permissions.grown.length, move.changes.permissions.dropped.length], [1, 1])
  t.strictSame(move.changes.migrations, [
    { from: 'feed.api.v1', to: '2.0.0', direction: 'up', isReversible: false }
  ], 'without the place of the migration in its adapter')
  t.match(move.warnings, [{ pointer: '/config/store' }], 'the new version does not know this member')
  t.equal(move.applied, false)
})

t.test('a version that is not installed is left with no version of its own', async t => {
  const connection = fakeConnection({ adapterVersion: null })
  const { from, changes } = describeMove(
    { connection, adapter: undefined },
    to(fakeAdapter({ permissions: { schedules: true } })),
    noEvents
  )

  t.strictSame(from, { adapterKey: 'feed.api.v1', adapterVersion: null, version: null })
  t.equal(changes.permissions.grown.length, 1, 'every permission is new')
})

t.test('a move compares the events that the connection keeps with those of the new version', async t => {
  const next = fakeAdapter({ described: { webhooks: { scheme: 'hmac', canInstall: false, events: { b: 'new' } } } })
  const eventJobsOf: EventJobsOf = ({ webhookEvents }) => new Map(Object.entries(webhookEvents ?? {}))
  const connection = fakeConnection({ webhookEvents: { a: 'old' } })

  t.strictSame(describeMove({ connection, adapter: undefined }, to(next), eventJobsOf).changes.events, [
    { eventType: 'a', from: 'old' },
    { eventType: 'b', to: 'new' }
  ])
})

t.test('the sender must be set up again when webhooks are authenticated in another way', async t => {
  const warningsOf = (webhookScheme: 'hmac' | 'bearer', described = {}, webhookRules: WebhookRules | null = null) =>
    describeMove(
      { connection: fakeConnection({ webhookScheme, webhookRules }), adapter: undefined },
      to(fakeAdapter({ described })),
      noEvents
    )
      .warnings.map(({ code }) => code)
  const verify = { kind: 'query', parameter: 'token' } as const
  const declared = { webhooks: { scheme: 'hmac', verify, canInstall: false } }
  const bearer = { webhooks: { scheme: 'bearer', canInstall: false } }

  t.strictSame(warningsOf('hmac'), [])
  t.strictSame(warningsOf('hmac', bearer), ['webhook-scheme'])
  t.strictSame(warningsOf('bearer', bearer), [])
  t.strictSame(warningsOf('bearer'), ['webhook-scheme'])
  t.strictSame(warningsOf('hmac', declared), ['webhook-scheme'])
  t.strictSame(warningsOf('hmac', declared, { verify }), [])
  const bare = { kind: 'bearer', header: 'x-token' } as const
  const explicit = { webhooks: { scheme: 'hmac', verify: { ...bare, word: undefined }, canInstall: false } }
  t.strictSame(warningsOf('hmac', explicit, { verify: bare }), [], 'the database drops what is undefined')
  t.strictSame(warningsOf('hmac', declared, { verify: { ...verify, parameter: 'key' } }), ['webhook-scheme'])
})

t.test('a member is a secret if it was one before or becomes one', async t => {
  const from = fakeAdapter({ config: Type.Object({ oldKey: secretText }) })
  const next = fakeAdapter({ config: Type.Object({ newKey: secretText }) })
  const connection = fakeConnection({ secretMembers: ['storedKey'] })
  const isSecret = secretMembers({ connection, adapter: from }, next)

  t.strictSame(['storedKey', 'oldKey', 'newKey', 'shop'].map(isSecret), [true, true, true, false])
  t.strictSame(['storedKey', 'oldKey', 'newKey'].map(secretMembers({ connection, adapter: undefined }, next)), [
    true,
    false,
    true
  ])
})

t.test('the operator confirms what is lost, what is newly permitted, and what has no way back', async t => {
  const step = {
    of: 'target',
    index: 0,
    direction: 'up',
    from: 'feed.api.v1',
    to: '2.0.0',
    isReversible: true
  } as const
  const move = describeMove(
    { connection: fakeConnection({ capabilities: ['OrderSource'] }), adapter: fakeAdapter() },
    to(fakeAdapter({ version: '2.0.0', capabilities: ['OfferManager'], permissions: { routes: true } }), {
      steps: [step, { ...step, isReversible: false }]
    }),
    noEvents
  )

  t.strictSame(confirmationsOf(move).map(({ pointer, code }) => `${pointer} ${code}`), [
    '/capabilities capability-lost',
    '/permissions permission-grown',
    '/config one-way'
  ])
})

t.test('what the hub can see is an obstacle before the platform is asked', async t => {
  const adapter = fakeAdapter({
    config: Type.Object({ shop: Type.String() }),
    credentials,
    health: () => ({ state: 'crashed', code: 'LNK_ADAPTER_CRASHED', message: 'it hung' })
  })
  const codesOf = async (destination: Destination, given: unknown): Promise<string[]> =>
    (await findObstacles(destination, given)).map(({ pointer, code }) => `${pointer} ${code}`)

  t.strictSame(await codesOf(to(adapter), null), [
    '/adapterVersion unavailable',
    '/config/shop required',
    '/credentials required'
  ])
  const well = to(fakeAdapter({ credentials }))
  t.strictSame(await codesOf(well, { key: 'abc' }), [])
  t.strictSame(await codesOf(well, { key: 'a' }), ['/credentials/key minLength'])
  t.strictSame(await codesOf(to(fakeAdapter()), { key: 'left over' }), [], 'a version without credentials ignores them')
})

t.test('a version that was restarted lately is no obstacle', async t => {
  const degraded = fakeAdapter({
    health: () => ({ state: 'degraded', code: 'LNK_ADAPTER_CRASHED', message: 'it was restarted' })
  })

  t.strictSame(await findObstacles(to(degraded), null), [])
})

/** Tries a destination whose connection test ends like `test`. */
async function tryOut (test: () => unknown) {
  const forgotten: string[] = []
  const logged: object[] = []
  const snapshots: (ConnectionSnapshot | undefined)[] = []
  const connection = fakeConnection({ config: { shop: 'old' } })
  const adapter = fakeAdapter({ described: { hasTest: true }, forget: id => forgotten.push(id) })
  const trial = await tryDestination({
    async call (_adapter, snapshot) {
      snapshots.push(snapshot)
      return test()
    }
  }, {
    connection,
    destination: to(adapter, { config: { shop: 'new' } }),
    credentials: { key: 'abc' },
    request: {
      requestId: 'r-1',
      log: {
        error (fields) {
          logged.push(fields)
        }
      }
    }
  })
  return { connection, trial, forgotten, logged, snapshots }
}

t.test('a trial uses the config after the move, and a client that is forgotten afterwards', async t => {
  const { trial, snapshots, forgotten, connection } = await tryOut(() => ({ message: 'Shop 7', warnings: ['slow'] }))

  t.match(trial, {
    message: 'Shop 7',
    problems: { length: 0 },
    warnings: [{ pointer: '/test', code: 'test', message: 'slow' }]
  })
  t.match(snapshots, [{
    id: connection.id,
    config: { shop: 'new' },
    credentials: { key: 'abc' },
    version: 'trial:r-1'
  }])
  t.strictSame(forgotten, [connection.id])
})

t.test('a failed trial is an obstacle; the fault of an adapter is in the log and nowhere else', async t => {
  const refused = await tryOut(() => Promise.reject(new RejectedError('the key is refused')))
  const broken = await tryOut(() => Promise.reject(new TypeError('secret-1 is not a function')))

  t.match(refused.trial, { message: undefined, problems: [{ code: 'test-failed', message: 'the key is refused' }] })
  t.strictSame(refused.logged, [])
  t.match(broken.trial.problems, [{ code: 'test-failed' }])
  t.notMatch(JSON.stringify(broken.trial), 'secret-1')
  t.match(broken.logged, [{ err: { message: /secret-1/ }, adapter: 'feed.api.v1@1.0.0', requestId: 'r-1' }])
  t.strictSame([refused.forgotten.length, broken.forgotten.length], [1, 1])
})

t.test('an adapter without a test passes none', async t => {
  const trial = await tryDestination({ call: () => Promise.reject(new Error('asked')) }, {
    connection: fakeConnection(),
    destination: to(fakeAdapter()),
    credentials: null,
    request: { requestId: 'r-1', log: { error: () => undefined } }
  })

  t.strictSame(trial, { message: undefined, problems: [], warnings: [] })
})

t.test('the form of a config belongs to the version that wrote it, if that is known', async t => {
  const ownerOf = (adapterVersion: string | null) =>
    departureOwner({ connection: fakeConnection({ adapterVersion }), adapter: undefined }).version

  t.equal(ownerOf('1.4.0'), '1.4.0')
  t.equal(ownerOf('^1.4.0'), undefined)
  t.equal(ownerOf(null), undefined)
  t.equal(
    departureOwner({ connection: fakeConnection({ adapterVersion: '^1.0.0' }), adapter: fakeAdapter() }).version,
    '1.0.0'
  )
})
