import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { createSampling, samplesOf, type Drift } from '../../src/figures/sampling.ts'
import { claimSample, insertSamples } from '../../src/figures/statements.ts'

const one = randomUUID()
const other = randomUUID()
const jobs = { queued: 1, waiting: 2, running: 3, oldestSeconds: 4 }

t.test('the hub has the sum of its connections and the age of the oldest job', async t => {
  const [hub, ...others] = samplesOf(
    [{ connectionId: null, ...jobs }, { connectionId: one, ...jobs, oldestSeconds: 9 }],
    [{ connectionId: other, drift: 5 }]
  )

  t.strictSame(hub, { connectionId: null, queued: 2, waiting: 4, running: 6, oldestSeconds: 9, drift: 5 })
  t.strictSame(others, [
    { connectionId: one, ...jobs, oldestSeconds: 9, drift: 0 },
    { connectionId: other, queued: 0, waiting: 0, running: 0, oldestSeconds: 0, drift: 5 }
  ])
})

t.test('nobody counted the drift: it is not known', async t => {
  t.match(samplesOf([{ connectionId: one, ...jobs }], undefined), [{ drift: null }, { drift: null }])
})

/** Makes a function that samples, with a clock and a count of the drift that the test controls. */
function openSampling ({ readDrift, takesMs = 0 }: { readDrift: () => Promise<Drift[]>, takesMs?: number }) {
  const state = { nowMs: 0, transactions: 0, stored: [] as unknown[] }
  const claim = { beginsAt: '2026-01-01T00:00:00Z', isDriftWanted: true }
  const query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    if (text === claimSample) return [claim as Row]
    if (text === insertSamples) state.stored.push(JSON.parse(String(values[0])))
    return []
  }
  const sample = createSampling({
    database: {
      async transaction (work) {
        state.transactions += 1
        state.nowMs += takesMs
        return work({ query } as Parameters<typeof work>[0])
      }
    },
    readLiveJobs: async () => [{ connectionId: null, ...jobs }],
    readDrift,
    nowMs: () => state.nowMs
  })
  return { state, sample }
}

t.test('a sample that took long is followed by a rest', async t => {
  const { state, sample } = openSampling({ takesMs: 2_000, readDrift: () => Promise.reject(new Error('too slow')) })
  await t.rejects(sample(), /too slow/)
  t.equal(state.nowMs, 4_000)
  // The sample itself took 2 s.
  state.nowMs = 101_999
  await sample()
  t.equal(state.stored.length, 1)

  state.nowMs = 102_000
  await sample()

  t.equal(state.stored.length, 2)
})

t.test('a count of the drift that fails costs no sample, and is tried again after five minutes', async t => {
  let counts = 0
  const { state, sample } = openSampling({
    async readDrift () {
      counts += 1
      throw new Error('too slow')
    }
  })
  await t.rejects(sample(), /too slow/)
  t.match(state.stored, [[{ queued: 1, drift: null }]])

  state.nowMs = 299_999
  await sample()
  t.equal(counts, 1)
  t.equal(state.stored.length, 2)
  state.nowMs = 300_000
  await t.rejects(sample(), /too slow/)
  t.equal(counts, 2)
})

t.test('the drift is added to the sample', async t => {
  const { state, sample } = openSampling({ readDrift: async () => [{ connectionId: one, drift: 5 }] })
  await sample()

  t.match(state.stored, [[{ drift: null }], [{ queued: 1, drift: 5 }, { connectionId: one, drift: 5 }]])
})

t.test('a sample that failed is followed by no rest', async t => {
  const state = { nowMs: 0, asked: 0 }
  const sample = createSampling({
    database: {
      async transaction () {
        state.asked += 1
        state.nowMs += 9_000
        throw new Error('away')
      }
    },
    readLiveJobs: async () => [],
    readDrift: async () => [],
    nowMs: () => state.nowMs
  })
  await t.rejects(sample(), /away/)
  await t.rejects(sample(), /away/)

  t.equal(state.asked, 2)
})
