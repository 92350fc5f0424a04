import { mock } from 'node:test'
import t from 'tap'
import { admit } from '../../src/upstream/admission.ts'
import { changePart } from '../../src/upstream/areas.ts'
import { awaitedPart } from '../../src/upstream/calls.ts'
import { createReleases } from '../../src/upstream/releases.ts'
import { closed, resetState } from '../../src/upstream/state.ts'
import type { Change } from '../../src/upstream/states.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

const now = 1_000_000
const connectionId = '10000000-0000-4000-8000-000000000000'
const declared = { ratePerSecond: 0.5, burst: 1 }
const gapMs = 2_500
const breaker = { openedAt: now, openUntil: now + 30_000, openings: 1, failure: 'GET /x answered 500' }

t.beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
})
t.afterEach(() => {
  mock.timers.reset()
})

/** Jobs of one request each. A job asks as soon as it is due, and waits when it is refused. */
function openQueue (initial: UpstreamState) {
  let state = initial
  const waiting = new Map<string, { part: string, at: number }>()

  function ask (job: string, areas: string[] = []): void {
    const changed = admit(state, {
      callId: job,
      areas,
      isTest: false,
      isUrgent: false,
      declared,
      longestWaitMs: 2_000,
      comesAgain: true,
      random: 0
    }, now)
    state = changed.state
    const { result } = changed
    if (result.kind === 'wait') {
      waiting.set(job, { part: awaitedPart(result.reason, result.area), at: now + result.inMs })
    } else waiting.delete(job)
  }

  const releases = createReleases({
    states: {
      async change<Result> (_id: string, change: Change<Result>) {
        const changed = change(state, now)
        state = changed.state
        return changed.result
      }
    },
    async makeDue (_id, parts) {
      const due = [...waiting].filter(([, { part }]) => parts.includes(part))
      for (const [job] of due) ask(job)
    },
    log: { warn: (fields, message) => t.fail(message, fields) }
  })
  return {
    releases,
    waiting,
    ask,
    change (next: (state: UpstreamState) => UpstreamState) {
      state = next(state)
    },
    places: () => [...waiting.values()].map(({ at }) => at - now).toSorted((a, b) => a - b),
    async releaseAgain () {
      mock.timers.tick(2_000)
      await new Promise(setImmediate)
    }
  }
}

const names = Array.from({ length: 20 }, (_, index) => `job ${index}`)
/** The first job goes out, the others come one after the other. */
const evenly = Array.from({ length: 19 }, (_, index) => (index + 1) * gapMs)

t.test('after a breaker, jobs that met it too late go on, and those without a place keep their turn', async t => {
  const { releases, waiting, ask, change, places, releaseAgain } = openQueue({ breaker })
  for (const name of names) ask(name)
  change(closed)
  await releases.closed(connectionId, undefined)
  t.strictSame(places(), evenly)

  waiting.set('late', { part: 'circuit-breaker', at: now + 500_000 })
  await releaseAgain()

  t.match(waiting.get('late'), { part: 'budget' })
  waiting.delete('late')
  t.strictSame(places(), evenly)
  releases.stop()
})

t.test('after a change of an operator, the second release leaves no time in which no job comes', async t => {
  const { releases, waiting, ask, change, places, releaseAgain } = openQueue({ throttledUntil: now + 600_000 })
  for (const name of names) ask(name)
  change(resetState)
  await releases.changed(connectionId, [])
  t.strictSame(places(), evenly)

  waiting.set('late', { part: 'rate-limit', at: now + 500_000 })
  await releaseAgain()

  t.equal(places()[0], gapMs)
  releases.stop()
})

t.test('when an area works again, only the jobs that wait for it go on', async t => {
  const { releases, waiting, ask, change, releaseAgain } = openQueue({
    areas: { module: { breaker }, reports: { breaker } }
  })
  ask('order', ['module'])
  ask('figures', ['reports'])
  t.strictSame([...waiting.values()].map(({ part }) => part), ['circuit-breaker:module', 'circuit-breaker:reports'])

  change(state => changePart(state, 'module', closed))
  await releases.closed(connectionId, 'module')

  t.strictSame([...waiting.keys()], ['figures'])
  change(resetState)
  await releases.changed(connectionId, ['reports'])
  await releaseAgain()
  t.notMatch([...waiting.values()], [{ part: /reports/ }])
  releases.stop()
})
