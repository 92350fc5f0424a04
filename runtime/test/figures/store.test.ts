import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { sumOf } from '../../src/figures/counting.ts'
import {
  mergeMinutes,
  readCounts,
  readSamples,
  removeOldHours,
  storeFigures,
  removeSamples,
  storeSamples,
  takeSample
} from '../../src/figures/store.ts'
import { kinds, makePlace, openJobs, type Kind } from '../jobs/support.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-01-31T10:00:00Z')
const at = (ms: number): string => new Date(start + ms).toISOString()
const gauges = { queued: 1, waiting: 2, running: 3, oldestSeconds: 4.5, drift: null }

async function open (t: Test, kind: Kind) {
  const place = await makePlace(kind)
  t.teardown(() => place.remove())
  const jobs = await openJobs(place)
  t.teardown(() => jobs.close())
  const { query } = jobs.database
  const connectionId = await jobs.addConnection()
  async function store (beginsAt: string, counts: Record<string, number>, id = connectionId): Promise<void> {
    const row = { connectionId: id, adapter: 'a@1', counts }
    await storeFigures(query, randomUUID(), [row, sumOf([row])].map(figure => ({ ...figure, beginsAt })))
  }
  const countsOf = async (of: string | undefined, step = 3_600) => {
    const slots = { from: new Date(start), to: new Date(start + 10 * hour), step, connectionId: of }
    const rows = await readCounts(query, slots)
    return rows.toSorted((a, b) => a.at - b.at || a.name.localeCompare(b.name))
      .map(row => [row.at - start / 1_000, row.name, row.total])
  }
  return { ...jobs, query, connectionId, store, countsOf }
}

for (const kind of kinds(t)) {
  t.test(`rows of processes are added up, and minutes become hours without a loss, ${kind}`, async t => {
    const { query, connectionId, store, countsOf } = await open(t, kind)
    await store(at(0), { jobsDead: 1, 'upstream:3': 2 })
    await store(at(minute), { jobsDead: 2 })
    await store(at(minute), { jobsDead: 4 })
    await store(at(2 * hour), { jobsDead: 8 })
    await store(at(3 * hour), { jobsDead: 16 })
    t.strictSame(await countsOf(connectionId, 60), [
      [0, 'jobsDead', 1],
      [0, 'upstream:3', 2],
      [60, 'jobsDead', 6],
      [7_200, 'jobsDead', 8],
      [10_800, 'jobsDead', 16]
    ])
    const hours = await countsOf(connectionId)

    await mergeMinutes(query, new Date(start + 3 * hour))

    t.strictSame(await countsOf(connectionId), hours)
    t.strictSame(await countsOf(undefined), hours)
    t.match(await query('select seconds, count(*)::integer as count from figures group by seconds order by seconds'), [
      { seconds: 60, count: 2 },
      { seconds: 3_600, count: 4 }
    ])
    await store(at(2 * minute), { jobsDead: 1 })
    await mergeMinutes(query, new Date(start + 3 * hour))
    t.match(await countsOf(connectionId), [[0, 'jobsDead', 8]], 'a late minute is added to its hour')
  })

  t.test(`counts of a connection that is gone stay in the sum only, ${kind}`, async t => {
    const { store, countsOf } = await open(t, kind)
    const gone = randomUUID()
    await store(at(0), { jobsDead: 1 }, gone)

    t.strictSame(await countsOf(gone), [])
    t.strictSame(await countsOf(undefined), [[0, 'jobsDead', 1]])
  })

  t.test(`hours of more than 90 days ago are removed, ${kind}`, async t => {
    const { query, store } = await open(t, kind)
    const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * hour).toISOString()
    await store(daysAgo(91), { jobsDead: 1 })
    await store(daysAgo(89), { jobsDead: 1 })
    await storeSamples(query, daysAgo(91), [{ connectionId: null, ...gauges }])
    await mergeMinutes(query, new Date(Date.now() - 48 * hour))

    await removeOldHours(query)

    t.equal((await query('select from figures')).length, 2)
    t.equal((await query('select from samples')).length, 0)
  })

  t.test(`a connection without a sample had no jobs whenever the hub was counted, ${kind}`, async t => {
    const { query, connectionId } = await open(t, kind)
    const read = (of: string | undefined) =>
      readSamples(query, { from: new Date(start), to: new Date(start + hour), step: 60, connectionId: of })
    await storeSamples(query, at(0), [
      { connectionId: null, ...gauges, drift: 7 },
      { connectionId, ...gauges, queued: 0, drift: 7 }
    ])
    await storeSamples(query, at(minute), [{ connectionId: null, ...gauges, queued: 9 }])

    const [first, second] = (await read(connectionId)).toSorted((a, b) => a.at - b.at)
    t.match(first, { queued: 0, waiting: 2, running: 3, oldestSeconds: 4.5, drift: 7 })
    t.match(second, { queued: 0, waiting: 0, running: 0, oldestSeconds: 0, drift: null })
    t.match((await read(undefined)).find(row => row.queued === 9), { at: start / 1_000 + 60 })
    await mergeMinutes(query, new Date(start + hour))
    t.match(await read(undefined), [{ at: start / 1_000, queued: 9, drift: 7 }])
    t.match(await read(connectionId), [{ queued: 0, waiting: 2, drift: 7 }])
  })

  t.test(`a minute has one sample, and a fifth one counts the drift, ${kind}`, async t => {
    const { database, query } = await open(t, kind)
    const claim = await database.transaction(async transaction => {
      const taken = await takeSample(transaction.query)
      if (taken === undefined) return undefined
      await storeSamples(transaction.query, taken.beginsAt, [{ connectionId: null, ...gauges, drift: 0 }])
      return taken
    })
    t.equal(claim?.isDriftWanted, true)
    await removeSamples(query, claim?.beginsAt ?? '')
    t.strictSame(await query('select id from samples'), [])
    await storeSamples(query, claim?.beginsAt ?? '', [{ connectionId: null, ...gauges, drift: 0 }])
    const again = await database.transaction(transaction => takeSample(transaction.query))
    t.ok(again === undefined || !again.isDriftWanted, 'nothing, or the next minute without the drift')
    await query("update samples set begins_at = begins_at - interval '6 minutes'")
    t.match(await database.transaction(transaction => takeSample(transaction.query)), { isDriftWanted: true })
  })
}
