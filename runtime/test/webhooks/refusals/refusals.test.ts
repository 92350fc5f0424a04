import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { createRefusals } from '../../../src/webhooks/refusals/refusals.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { connection, createRows } from '../support.ts'

const start = Date.parse('2026-01-31T12:00:00Z')
const day = 86_400_000

/** Refusals of two connections, with the statements that they sent. */
async function open (t: Test, kind: 'embedded' | 'postgres') {
  const place = await makePlace(kind)
  t.teardown(() => place.remove())
  const jobs = await openJobs(place)
  t.teardown(() => jobs.close())
  const { query } = jobs.database
  const ids = [await jobs.addConnection(), await jobs.addConnection()] as const
  const state = { nowMs: start, writes: 0, failure: undefined as Error | undefined, errors: [] as unknown[] }
  const rows = createRows(...ids.map(id => connection(id)))

  /** Makes what another process of the same hub has. */
  function openProcess () {
    const watched: Query = async (text, values) => {
      if (text.includes('insert into webhook_refusals')) {
        state.writes += 1
        if (state.failure !== undefined) throw state.failure
      }
      return query(text, values)
    }
    return createRefusals({
      query: watched,
      connections: { find: rows.load },
      now: () => new Date(state.nowMs),
      onError (error) {
        state.errors.push(error)
      }
    })
  }

  return {
    ids,
    state,
    openProcess,
    countRows: async () => (await query('select from webhook_refusals')).length,
    query
  }
}

for (const kind of kinds(t)) {
  t.test(`a flood of forged requests is one write and one row per code, ${kind}`, async t => {
    const { ids: [one, two], state, openProcess, countRows } = await open(t, kind)
    const refusals = openProcess()

    await Promise.all(Array.from({ length: 20_000 }, (_, index) =>
      refusals.record(index % 2 === 0 ? one : one.toUpperCase(), {
        code: index % 4 < 2 ? 'LNK_SIGNATURE_MISMATCH' : 'LNK_WEBHOOK_MALFORMED',
        detail: `text ${index}`
      })))
    await Promise.all(Array.from({ length: 20_000 }, () =>
      refusals.record(randomUUID(), { code: 'LNK_X' })))
    await refusals.record('no id', { code: 'LNK_X' })
    t.equal(state.writes, 0, 'nothing is written before the minute is over')
    t.equal(await countRows(), 0)
    t.match(await refusals.list(one), [{ count: 10_000 }, { count: 10_000 }], 'but the process shows what it has')

    await refusals.flush()

    t.equal(state.writes, 1)
    t.equal(await countRows(), 2)
    await refusals.flush()
    t.equal(state.writes, 1, 'without new refusals nothing is written')
    t.strictSame(await refusals.list(two), [])
    t.match(await refusals.list(one), [{ count: 10_000 }, { count: 10_000 }])
  })

  t.test(`counts of several processes add up, and the last words stay, ${kind}`, async t => {
    const { ids: [id], state, openProcess } = await open(t, kind)
    const [first, second] = [openProcess(), openProcess()]
    await first.record(id, { code: 'LNK_A', detail: 'early' })
    state.nowMs += 2_000
    await second.record(id, { code: 'LNK_A', detail: 'late' })
    await second.record(id, { code: 'LNK_B' })
    await second.flush()
    state.nowMs -= 1_000
    await first.record(id, { code: 'LNK_A', detail: 'between' })
    await first.flush()

    t.strictSame((await first.list(id)).toSorted((a, b) => a.code < b.code ? -1 : 1), [
      {
        code: 'LNK_A',
        count: 3,
        firstAt: '2026-01-31T12:00:00.000Z',
        lastAt: '2026-01-31T12:00:02.000Z',
        lastDetail: 'late'
      },
      {
        code: 'LNK_B',
        count: 1,
        firstAt: '2026-01-31T12:00:02.000Z',
        lastAt: '2026-01-31T12:00:02.000Z',
        lastDetail: null
      }
    ])
  })

  t.test(`a failed write loses no count, ${kind}`, async t => {
    const { ids: [id], state, openProcess } = await open(t, kind)
    const refusals = openProcess()
    await refusals.record(id, { code: 'LNK_A' })
    state.failure = new Error('the database is away')
    await refusals.flush()
    await refusals.record(id, { code: 'LNK_A' })
    state.failure = undefined
    await refusals.flush()

    t.strictSame(state.errors.map(String), ['Error: the database is away'])
    t.match(await openProcess().list(id), [{ count: 2 }])
  })

  t.test(`counts are removed when no delivery got their code for thirty days, ${kind}`, async t => {
    const { ids: [id], state, openProcess } = await open(t, kind)
    const refusals = openProcess()
    await refusals.record(id, { code: 'LNK_OLD' })
    state.nowMs += day
    await refusals.record(id, { code: 'LNK_YOUNG' })
    await refusals.flush()
    state.nowMs = start + 30 * day + 1

    await refusals.removeOld()

    t.match(await refusals.list(id), [{ code: 'LNK_YOUNG' }])
    t.equal((await refusals.list(id)).length, 1)
  })
}
