import type { Database, Query } from '../database/database.ts'
import { storeSamples, takeSample, type Gauges, type NewSample } from './store.ts'

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

/**
 * Makes the function that stores how many jobs wait and run now, for the hub and for each
 * connection that has some. Only one process takes the sample of a minute, and counts the drift in
 * every fifth.
 */
export function createSampling ({ database, readLiveJobs, readDrift, nowMs }: SamplingOptions): () => Promise<void> {
  let restUntilMs = Number.NEGATIVE_INFINITY

  return async function sample () {
    const startedAtMs = nowMs()
    if (startedAtMs < restUntilMs) return
    try {
      await database.transaction(async ({ query }) => {
        const claim = await takeSample(query)
        if (claim === undefined) return
        const drifts = claim.isDriftWanted ? await readDrift(query) : undefined
        await storeSamples(query, claim.beginsAt, samplesOf(await readLiveJobs(query), drifts))
      })
    } finally {
      restUntilMs = nowMs() + (nowMs() - startedAtMs) * restShare
    }
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
