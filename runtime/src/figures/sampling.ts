import type { Database, Query } from '../database/database.ts'
import { withinTime } from '../database/within-time.ts'
import { removeSamples, storeSamples, takeSample, type Gauges, type NewSample, type SampleClaim } from './store.ts'

/** The live jobs of one connection, or of the hub itself. */
export interface LiveJobs extends Omit<Gauges, 'drift'> {
  connectionId: string | null
}

/** How many offers of a connection were not written with the quantity that they should show. */
export interface Drift {
  connectionId: string
  drift: number
}

export interface SamplingOptions {
  database: Pick<Database, 'transaction'>
  readLiveJobs(query: Query): Promise<LiveJobs[]>
  readDrift(query: Query): Promise<Drift[]>
  nowMs: () => number
}

// The statements read every live job and every offer. Rest fifty times as long as they took.
const restShare = 50
const mostDriftMs = 2_000
/** A count of the drift that failed is tried again after this time. */
const driftRetryMs = 300_000

/**
 * Makes the function that stores how many jobs wait and run now, for the hub and for each
 * connection that has some. Only one process takes the sample of a minute, and counts the drift in
 * every fifth.
 */
export function createSampling ({ database, readLiveJobs, readDrift, nowMs }: SamplingOptions): () => Promise<void> {
  let restUntilMs = Number.NEGATIVE_INFINITY
  let driftRestUntilMs = Number.NEGATIVE_INFINITY

  /** Undefined: another process takes the sample of this minute. */
  async function sampleLiveJobs (): Promise<(SampleClaim & { live: LiveJobs[] }) | undefined> {
    const startedAtMs = nowMs()
    const taken = await database.transaction(async ({ query }) => {
      const claim = await takeSample(query)
      if (claim === undefined) return undefined
      const live = await readLiveJobs(query)
      await storeSamples(query, claim.beginsAt, samplesOf(live, undefined))
      return { ...claim, live }
    })
    // A sample that failed costs no rest: the next one is due only in a minute.
    restUntilMs = nowMs() + (nowMs() - startedAtMs) * restShare
    return taken
  }

  async function addDrift (beginsAt: string, live: readonly LiveJobs[]): Promise<void> {
    const startedAtMs = nowMs()
    driftRestUntilMs = startedAtMs + driftRetryMs
    const drifts = await withinTime(database, mostDriftMs, readDrift)
    await database.transaction(async ({ query }) => {
      await removeSamples(query, beginsAt)
      await storeSamples(query, beginsAt, samplesOf(live, drifts))
    })
    driftRestUntilMs = nowMs() + (nowMs() - startedAtMs) * restShare
  }

  return async function sample () {
    if (nowMs() < restUntilMs) return
    const taken = await sampleLiveJobs()
    // In a transaction of its own: a count that takes too long must not cost the sample.
    if (taken?.isDriftWanted === true && nowMs() >= driftRestUntilMs) await addDrift(taken.beginsAt, taken.live)
  }
}

/** The sample of the hub, then those of its connections. Without drifts: nobody counted them. */
export function samplesOf (live: readonly LiveJobs[], drifts: readonly Drift[] | undefined): NewSample[] {
  const isCounted = drifts !== undefined
  const none = { queued: 0, waiting: 0, running: 0, oldestSeconds: 0 }
  const driftOf = new Map((drifts ?? []).map(({ connectionId, drift }) => [connectionId, drift]))
  const liveOf = new Map(live.map(row => [row.connectionId, row]))
  const ids = new Set([...liveOf.keys(), ...driftOf.keys()].filter(id => id !== null))
  return [
    {
      connectionId: null,
      queued: live.reduce((sum, { queued }) => sum + queued, 0),
      waiting: live.reduce((sum, { waiting }) => sum + waiting, 0),
      running: live.reduce((sum, { running }) => sum + running, 0),
      oldestSeconds: live.reduce((most, { oldestSeconds }) => Math.max(most, oldestSeconds), 0),
      drift: isCounted ? [...driftOf.values()].reduce((sum, drift) => sum + drift, 0) : null
    },
    ...[...ids].map(connectionId => ({
      ...none,
      ...liveOf.get(connectionId),
      connectionId,
      drift: isCounted ? driftOf.get(connectionId) ?? 0 : null
    }))
  ]
}
