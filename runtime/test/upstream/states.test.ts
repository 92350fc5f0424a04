import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createUpstreamStates, type Change } from '../../src/upstream/states.ts'
import { readState, statesOfConnection } from '../../src/upstream/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

/** Takes one of ten places; answers whether there was one. */
const takePlace: Change<boolean> = state => {
  const taken = state.nextSlotAt ?? 0
  return taken < 10 ? { state: { ...state, nextSlotAt: taken + 1 }, result: true } : { state, result: false }
}

for (const kind of kinds(t)) {
  t.test(`states, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)

    t.test('changes of several processes at once are made one after the other', async t => {
      const id = randomUUID()
      const processes = [createUpstreamStates(query), createUpstreamStates(query), createUpstreamStates(query)]

      const taken = await Promise.all(processes.flatMap(({ change }) =>
        Array.from({ length: 20 }, () => change(id, takePlace))
      ))

      t.equal(taken.filter(Boolean).length, 10)
      t.equal((await readState(query, id)).state.nextSlotAt, 10)
    })

    t.test('another process sees a state that guards its connection after its next refresh', async t => {
      const id = randomUUID()
      const [one, other] = [createUpstreamStates(query), createUpstreamStates(query)]
      const own = { ratePerSecond: 1, burst: 1 }

      const changed = one.change(id, state => ({ state: { ...state, own }, result: true }))
      t.ok(one.isChanging(id))
      await changed
      t.ok(one.guarded().has(id))
      t.notOk(one.isChanging(id))
      t.notOk(other.guarded().has(id))
      await other.refresh()
      t.strictSame(other.guarded().get(id), { own })

      await one.change(id, ({ own: _own, ...state }) => ({ state, result: true }))
      t.notOk(one.guarded().has(id))
      await other.refresh()
      t.notOk(other.guarded().has(id))
    })

    t.test('a change goes by the clock of the database', async t => {
      const [row] = await query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms')
      const states = createUpstreamStates(query)
      await states.refresh()

      const now = await states.change(randomUUID(), (state, now) => ({ state, result: now }))

      t.ok(Math.abs(now - (row?.ms ?? 0)) < 5_000, `${now}`)
    })

    t.test('the state of a deleted connection goes', async t => {
      const id = randomUUID()
      await createUpstreamStates(query).change(id, takePlace)

      t.equal(await statesOfConnection.count(query, id), 1)
      await statesOfConnection.remove(query, id)
      t.equal(await statesOfConnection.count(query, id), 0)
    })
  })
}
