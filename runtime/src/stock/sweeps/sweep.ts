import type { Query } from '../../database/database.ts'
import {
  abandonStaleSweep,
  addSweep,
  lockSweep,
  removeOldSweeps,
  removePages,
  storeOutcome,
  storeProgress,
  touchRunningSweep,
  type Sweep,
  type SweepOutcome,
  type SweepStep
} from './store.ts'

/**
 * Another run of the same job, or another job, took the sweep further. This run stores none of its
 * findings.
 */
export class SweepTakenError extends Error {
  constructor () {
    super('another run continues this sweep')
  }
}

/**
 * Returns the running sweep of a connection, or a new one under `id`. Undefined: the sweep of that
 * id has ended. Abandons a sweep that no run touched for an hour, or whose cursor belongs to
 * another adapter version.
 */
export async function openSweep (
  query: Query,
  connectionId: string,
  id: string,
  adapter: string
): Promise<Sweep | undefined> {
  await abandonStaleSweep(query, connectionId, adapter)
  await removeOldSweeps(query, connectionId)
  await addSweep(query, id, connectionId)
  return touchRunningSweep(query, connectionId, adapter)
}

/**
 * Locks the sweep until the transaction ends, so that no other run takes it further. Throws
 * `SweepTakenError` when one has done so already.
 */
export async function holdSweep (query: Query, sweep: Sweep): Promise<void> {
  if (!await lockSweep(query, sweep)) throw new SweepTakenError()
}

/**
 * Takes the sweep one step further. Call it in the transaction that stores the findings of the
 * step. Throws `SweepTakenError` when another run took the sweep further.
 */
export async function advanceSweep (query: Query, sweep: Sweep, step: SweepStep): Promise<Sweep> {
  const advanced = await storeProgress(query, sweep, step)
  if (advanced === undefined) throw new SweepTakenError()
  return advanced
}

/** Ends the sweep. Throws `SweepTakenError` when another run took it further. */
export async function finishSweep (
  query: Query,
  sweep: Sweep,
  outcome: SweepOutcome,
  problem: string | null = null
): Promise<void> {
  if (!await storeOutcome(query, sweep, outcome, problem)) throw new SweepTakenError()
  await removePages(query, sweep)
}
