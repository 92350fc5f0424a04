import type { Query } from '../../database/database.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRecord } from '../../jobs/job.ts'
import { findKnown, getJobs, readJobsOfOperations, type JobOfOperation } from '../../jobs/store.ts'

/** Replays that one delivery may have. */
export const mostReplays = 50
/** Most deliveries have no replay, and few have many: look for the first, then for further ones. */
const lookUps = [1, 5, mostReplays]

/** The jobs of the replays of a delivery, the first one first. */
export type Replays = readonly JobRecord[]
/** The same without what only a view shows. */
export type LeanReplays = readonly JobOfOperation[]

/** The key of the nth replay of a delivery, counted from 1. */
export function replayKey (deliveryId: string, n: number): string {
  return `replay:${deliveryId}:${n}`
}

/** The part of the replays of a delivery that a list shows. */
export interface ReplaysInShort {
  replayCount: number
  lastReplay: JobRecord | undefined
}

/** The replays of deliveries, by the id of the delivery. */
export async function readReplays (
  query: Query,
  deliveryIds: readonly string[]
): Promise<ReadonlyMap<string, Replays>> {
  return readLeading(deliveryIds, ids => getJobs(query, ids))
}

/** The replays of deliveries as a plan needs them, by the id of the delivery. */
export async function readLeanReplays (
  query: Query,
  deliveryIds: readonly string[]
): Promise<ReadonlyMap<string, LeanReplays>> {
  return readLeading(deliveryIds, ids => readJobsOfOperations(query, ids))
}

/** Counts the replays of deliveries and reads the last of each, by the id of the delivery. */
export async function readReplaysInShort (
  query: Query,
  deliveryIds: readonly string[]
): Promise<ReadonlyMap<string, ReplaysInShort>> {
  const idsByDelivery = await readLeading(
    deliveryIds,
    async ids => new Map([...await findKnown(query, ids)].map(id => [id, id]))
  )
  const lastIds = [...idsByDelivery.values()].flatMap(ids => ids.at(-1) ?? [])
  const jobs = lastIds.length === 0 ? new Map<string, JobRecord>() : await getJobs(query, lastIds)
  return new Map([...idsByDelivery].map(
    ([deliveryId, ids]) => [deliveryId, { replayCount: ids.length, lastReplay: jobs.get(ids.at(-1) ?? '') }]
  ))
}

/**
 * Calls `look` with the jobs of the replays of deliveries. Returns its answers by the id of the
 * delivery. The ids of the jobs are made from their keys, so no table has to name them. Replays
 * after one that retention removed are not found.
 */
async function readLeading<Found> (
  deliveryIds: readonly string[],
  look: (jobIds: readonly string[]) => Promise<ReadonlyMap<string, Found>>
): Promise<ReadonlyMap<string, readonly Found[]>> {
  const found = new Map<string, Found[]>(deliveryIds.map(id => [id, []]))
  for (const upTo of lookUps) {
    const wanted = [...found].flatMap(([deliveryId, replays]) =>
      isComplete(replays, upTo) ? [] : { replays, ids: idsOf(deliveryId, replays.length + 1, upTo) }
    )
    if (wanted.length === 0) break
    const jobs = await look(wanted.flatMap(({ ids }) => ids))
    for (const { replays, ids } of wanted) replays.push(...leading(ids.map(id => jobs.get(id))))
  }
  return found
}

/**
 * Returns those of the deliveries that have a replay. One whose first replay belongs to the
 * operation had none when the operation began, and is left out.
 */
export async function findReplayed (
  query: Query,
  deliveryIds: readonly string[],
  operationId?: string
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set()
  const firsts = new Map(deliveryIds.map(deliveryId => [deliveryId, jobIdOf(replayKey(deliveryId, 1))]))
  const jobs = await readJobsOfOperations(query, [...firsts.values()])
  return new Set(deliveryIds.filter(deliveryId => {
    const first = jobs.get(firsts.get(deliveryId) ?? '')
    return first !== undefined && first.operation !== operationId
  }))
}

/** Whether an earlier look-up came to the end of the replays. */
function isComplete ({ length }: readonly unknown[], upTo: number): boolean {
  const before = lookUps[lookUps.indexOf(upTo) - 1] ?? 0
  return length < before
}

function idsOf (deliveryId: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => jobIdOf(replayKey(deliveryId, from + index)))
}

function leading<Found> (jobs: readonly (Found | undefined)[]): Found[] {
  const end = jobs.indexOf(undefined)
  return jobs.slice(0, end < 0 ? jobs.length : end).filter(job => job !== undefined)
}
