import type { Query } from '../../database/database.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRecord } from '../../jobs/job.ts'
import { getJobs } from '../../jobs/store.ts'

/** Replays that one delivery may have. */
export const mostReplays = 50

/** The jobs of the replays of a delivery; the nth is at index n - 1. */
export type Replays = readonly (JobRecord | undefined)[]

/** The key of the nth replay of a delivery, counted from 1. */
export function replayKey (deliveryId: string, n: number): string {
  return `replay:${deliveryId}:${n}`
}

/**
 * The replays of deliveries, by the id of the delivery. The ids of the jobs are made from their
 * keys, so no table has to name them.
 */
export async function readReplays (
  query: Query,
  deliveryIds: readonly string[]
): Promise<ReadonlyMap<string, Replays>> {
  const ids = new Map(deliveryIds.map(deliveryId => [
    deliveryId,
    Array.from({ length: mostReplays }, (_, index) => jobIdOf(replayKey(deliveryId, index + 1)))
  ]))
  const jobs = await getJobs(query, [...ids.values()].flat())
  return new Map([...ids].map(([deliveryId, ofDelivery]) => [deliveryId, ofDelivery.map(id => jobs.get(id))]))
}
