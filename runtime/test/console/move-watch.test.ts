import type { Schemas } from '@linker/client'
import t from 'tap'
import { isWatched, splitAt, watchedMs } from '../../console/rules/move-watch.ts'

const at = '2026-01-01T00:02:00.000Z'
const seconds = Date.parse(at) / 1_000

t.test('a move is watched for a while', async t => {
  t.equal(isWatched(at, Date.parse(at) + watchedMs - 1), true)
  t.equal(isWatched(at, Date.parse(at) + watchedMs), false)
})

t.test('the figures before a move stand beside those after it', async t => {
  const series = {
    jobsSucceeded: [1, 2, 4],
    jobsPutBack: [0, 1, 0],
    jobsDead: [0, 0, 3],
    stockWrites: [1, 1, 5],
    upstreamP95: [10, 30, null]
  }
  const figures = { step: 60, times: [seconds - 120, seconds - 60, seconds], series, refused: {} }

  t.strictSame(splitAt(at, figures as unknown as Schemas['Figures']), {
    before: { succeeded: 3, failed: 1, writes: 2, latencyMs: 30 },
    after: { succeeded: 4, failed: 3, writes: 5, latencyMs: null }
  })
})
