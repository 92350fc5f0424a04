import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createRollup } from '../../src/figures/rollup.ts'
import type { NewFigure } from '../../src/figures/store.ts'

function open () {
  const state = { now: '2026-01-31T12:00:30Z', failure: undefined as Error | undefined, errors: [] as unknown[] }
  const stored: (readonly NewFigure[])[] = []
  const rollup = createRollup({
    async store (rows) {
      if (state.failure !== undefined) throw state.failure
      stored.push(rows)
    },
    now: () => new Date(state.now),
    onError (error) {
      state.errors.push(error)
    }
  })
  return { ...rollup, state, stored }
}

const one = randomUUID()

t.test('a minute is one row of each connection and one of the hub', async t => {
  const { count, flush, stored } = open()
  count(one, 'jobsSucceeded')
  count(null, 'jobsDead')
  await flush()

  const beginsAt = '2026-01-31T12:00:00.000Z'
  t.strictSame(stored, [[
    { connectionId: one, adapter: null, counts: { jobsSucceeded: 1 }, beginsAt },
    { connectionId: null, adapter: null, counts: { jobsSucceeded: 1, jobsDead: 1 }, beginsAt }
  ]])
})

t.test('an idle minute writes nothing', async t => {
  const { flush, stored } = open()
  await flush()
  t.strictSame(stored, [])
})

t.test('counts that cannot be stored are added to those of a later minute', async t => {
  const { count, flush, stored, state } = open()
  count(one, 'jobsSucceeded')
  state.failure = new Error('the database is away')
  await flush()
  t.strictSame([stored, state.errors], [[], [state.failure]])
  state.failure = undefined
  state.now = '2026-01-31T12:02:10Z'
  count(one, 'jobsSucceeded')

  await flush()

  t.strictSame(stored.map(rows => rows.map(({ counts }) => counts)), [[{ jobsSucceeded: 2 }, { jobsSucceeded: 2 }]])
})
