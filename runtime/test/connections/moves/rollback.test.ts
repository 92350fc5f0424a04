import { Type } from '@sinclair/typebox'
import t from 'tap'
import { selectCursors } from '../../../src/adapters/statements.ts'
import { createRollback } from '../../../src/connections/moves/rollback.ts'
import { selectLatest, updateRestored } from '../../../src/connections/moves/statements.ts'
import type { Snapshot } from '../../../src/connections/moves/store.ts'
import type { Query } from '../../../src/database/database.ts'
import { answering, fakeAdapter, fakeConnection, registryOf } from '../support.ts'

const config = Type.Object({ shop: Type.String(), key: Type.Optional(Type.String({ secret: true })) })
const old = fakeAdapter({ config, capabilities: ['InventoryMaster'] })
const current = fakeAdapter({
  version: '2.0.0',
  config,
  described: { migrations: [{ from: 'feed.api.v1@<2.0.0', to: '2.0.0', isReversible: true }] },
  call: answering(({ args: [given] }) => ({ ...given as object, shop: 'migrated' }))
})

const snapshot: Snapshot = {
  id: 'a',
  adapterKey: 'feed.api.v1',
  adapterVersion: '1.0.0',
  config: { shop: 'a', key: 'secret-1' },
  capabilities: ['InventoryMaster', 'OrderSource'],
  cursors: { feed: '7' }
}

/** A connection that was moved from `old` to `current`. */
function open ({ latest = snapshot, isRestoredElsewhere = false, installed = [old, current] }: {
  latest?: Snapshot | null,
  isRestoredElsewhere?: boolean,
  installed?: typeof old[]
} = {}) {
  const answers = new Map<string, object[]>([
    [selectLatest, latest === null ? [] : [latest]],
    [selectCursors, [{ name: 'feed', value: '9' }, { name: 'later', value: '1' }]],
    [updateRestored, isRestoredElsewhere ? [] : [{ id: 'a' }]]
  ])
  const query: Query = async <Row extends object>(text: string) => (answers.get(text) ?? []) as Row[]
  const connection = fakeConnection({
    adapterVersion: '2.0.0',
    config: { shop: 'migrated', key: 'secret-2' },
    secretMembers: ['key']
  })
  const swaps: unknown[] = []
  const rollback = createRollback({
    database: { query },
    connections: { readCredentials: async () => ({ value: null, version: ':0' }) },
    registry: registryOf(...installed),
    eventJobsOf: () => new Map(),
    departureOf: async () => ({ connection, adapter: current }),
    async swap (_departure, { adapter, steps: _steps, ...destination }, { store, ...options }) {
      await store(query)
      swaps.push({ ...destination, version: adapter.version, ...options })
    }
  })
  return { rollback: (dryRun: boolean) => rollback(connection.id, { dryRun, waitSeconds: 5 }, {}), swaps }
}

t.test('the state before the move comes back, as far as the old version still can it', async t => {
  const { rollback, swaps } = open()
  const move = await rollback(false)

  t.match(swaps, [{
    version: '1.0.0',
    adapterVersion: '1.0.0',
    config: snapshot.config,
    waitMs: 5_000,
    isAccepted: false
  }])
  t.match(move, { applied: true, from: { version: '2.0.0' }, to: { version: '1.0.0' } })
  t.strictSame((swaps[0] as { capabilities: string[] }).capabilities, ['InventoryMaster'])
})

t.test('what is given up is said: changes after the move, and cursors that advanced', async t => {
  const { rollback, swaps } = open()
  const dry = await rollback(true)
  const given = ({ warnings }: typeof dry): string[] =>
    warnings.filter(({ code }) => code === 'given-up').map(({ pointer }) => pointer)

  t.strictSame(given(dry), ['/config/key', '/cursors/feed', '/cursors/later'], 'the migration is no change of anybody')
  t.strictSame([dry.applied, swaps], [false, []])
  t.strictSame(given(await rollback(false)), given(dry))
  t.notMatch(JSON.stringify(dry), /secret-[12]/)
})

t.test('without a snapshot, or without the version that it names, there is no way back', async t => {
  const gone = open({ installed: [current] })
  const unfit = open({ latest: { ...snapshot, config: {} } })

  await t.rejects(open({ latest: null }).rollback(true), {
    code: 'LNK_MOVE_REFUSED',
    errors: [{ code: 'no-snapshot' }]
  })
  await t.rejects(gone.rollback(true), { errors: [{ pointer: '/adapterVersion', code: 'missing' }] })
  await t.rejects(unfit.rollback(true), { errors: [{ pointer: '/config/shop', code: 'required' }] })
})

t.test('of two rollbacks at once one undoes the move', async t => {
  const { rollback, swaps } = open({ isRestoredElsewhere: true })

  await t.rejects(rollback(false), { code: 'LNK_MOVE_REFUSED', errors: [{ code: 'changed' }] })
  t.strictSame(swaps, [])
})
