import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { createSampling, samplesOf } from '../../src/figures/sampling.ts'

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

t.test('a sample that took long is followed by a rest', async t => {
  const state = { nowMs: 0, taken: 0 }
  const sample = createSampling({
    database: {
      async transaction (work) {
        state.taken += 1
        state.nowMs += 2_000
        const query: Query = async () => []
        return work({ query } as Parameters<typeof work>[0])
      }
    },
    readLiveJobs: async () => [],
    readDrift: async () => [],
    nowMs: () => state.nowMs
  })
  await sample()
  state.nowMs += 99_999
  await sample()
  t.equal(state.taken, 1)

  state.nowMs += 1
  await sample()

  t.equal(state.taken, 2)
})
