import t from 'tap'
import { readCursors, storeCursors } from '../../../src/adapters/store.ts'
import { actAsAdapterAlone } from '../../../src/audit/actor.ts'
import { listMoves, readLatestSnapshot, restoreCursors, takeSnapshot } from '../../../src/connections/moves/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'

t.test('snapshots of connections', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** A connection whose snapshots hold the number of the move as config. */
  async function addConnection () {
    const id = await jobs.addConnection()
    return {
      id,
      async take (move: number) {
        await query('update connections set config = $2 where id = $1', [id, JSON.stringify({ move })])
        await takeSnapshot(query, id, { adapterKey: 'mktb', adapterVersion: `${move}.0.0` })
      },
      /** Takes a snapshot and moves the connection, as a move does. */
      async move (adapterKey: string, adapterVersion: string | null) {
        await takeSnapshot(query, id, { adapterKey, adapterVersion })
        await query('update connections set adapter_key = $2, adapter_version = $3 where id = $1', [
          id,
          adapterKey,
          adapterVersion
        ])
      },
      async rollBack () {
        const snapshot = await readLatestSnapshot(query, id)
        if (snapshot === undefined) throw new TypeError('there is no snapshot')
        await restoreCursors(query, id, snapshot)
        await query('update connections set adapter_key = $2, adapter_version = $3 where id = $1', [
          id,
          snapshot.adapterKey,
          snapshot.adapterVersion
        ])
      },
      latest: async () => (await readLatestSnapshot(query, id))?.config.move
    }
  }

  t.test('a snapshot holds what a move changes, cursors included', async t => {
    const { id, take } = await addConnection()
    await storeCursors(query, id, { feed: '7', 'a b': 'x' })
    await query('update connections set capabilities = \'["OfferManager"]\' where id = $1', [id])
    await take(1)
    await query("update connections set adapter_key = 'other', config = '{}' where id = $1", [id])

    t.match(await readLatestSnapshot(query, id), {
      adapterKey: 'mktb',
      adapterVersion: null,
      config: { move: 1 },
      capabilities: ['OfferManager'],
      cursors: { feed: '7', 'a b': 'x' }
    })
  })

  t.test('each rollback takes the newest snapshot that was not restored', async t => {
    const { id, take, latest } = await addConnection()
    const seen: unknown[] = []
    for (const move of [1, 2, 3]) await take(move)
    for (
      let snapshot = await readLatestSnapshot(query, id);
      snapshot !== undefined;
      snapshot = await readLatestSnapshot(query, id)
    ) {
      seen.push(snapshot.config.move)
      await restoreCursors(query, id, snapshot)
    }

    t.strictSame(seen, [3, 2, 1])
    t.equal(await latest(), undefined)
  })

  t.test('restoring brings back the cursors of then and no others, and only once', async t => {
    const { id, take } = await addConnection()
    await storeCursors(query, id, { feed: '7' })
    await take(1)
    await storeCursors(query, id, { feed: '8', later: '1' })
    const snapshot = await readLatestSnapshot(query, id)
    if (snapshot === undefined) throw new TypeError('there is no snapshot')

    t.equal(await restoreCursors(query, id, snapshot), true)
    t.strictSame(await readCursors(query, id), { feed: '7' })
    await storeCursors(query, id, { feed: '9' })
    t.equal(await restoreCursors(query, id, snapshot), false)
    t.strictSame(await readCursors(query, id), { feed: '9' })
  })

  t.test('the last twenty snapshots of each connection are kept', async t => {
    const [one, two] = [await addConnection(), await addConnection()]
    await two.take(0)
    for (let move = 1; move <= 22; move++) await one.take(move)
    const rows = await query<{ move: number }>(
      "select (config ->> 'move')::integer as move from connection_snapshots where connection_id = $1 order by move",
      [one.id]
    )

    t.strictSame(rows.map(({ move }) => move), Array.from({ length: 20 }, (_, index) => index + 3))
    t.equal(await two.latest(), 0)
  })

  t.test('each move keeps where it led, also when it was rolled back at once', async t => {
    const { id, move, rollBack } = await addConnection()
    await move('a', '1.0.0')
    await move('a', '2.0.0')
    await rollBack()
    await move('a', null)
    await actAsAdapterAlone('b@1.0.0', () => move('b', '^3.0.0'))
    await rollBack()
    await rollBack()

    const moves = await listMoves(query, id)
    t.match(moves, [
      { from: { adapterKey: 'a', adapterVersion: null }, to: { adapterKey: 'b', adapterVersion: '^3.0.0' } },
      { from: { adapterKey: 'a', adapterVersion: '1.0.0' }, to: { adapterKey: 'a', adapterVersion: null } },
      { from: { adapterKey: 'a', adapterVersion: '1.0.0' }, to: { adapterKey: 'a', adapterVersion: '2.0.0' } },
      { from: { adapterKey: 'mktb', adapterVersion: null }, to: { adapterKey: 'a', adapterVersion: '1.0.0' } }
    ])
    t.strictSame(moves.map(({ rolledBackAt }) => rolledBackAt === null), [false, false, false, true])
    t.strictSame(moves.map(({ movedBy }) => movedBy?.name), ['b@1.0.0', 'hub', 'hub', 'hub'])
    t.strictSame(await listMoves(query, (await addConnection()).id), [])
  })
})
