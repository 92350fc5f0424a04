import type { Query } from '../database/database.ts'
import type { WorkerAbsence } from '../jobs/worker-absence.ts'
import { readWorkerAbsence } from './store.ts'

export interface WorkerWatch {
  /** Call it each time that this process has told that it lives. */
  noteAlive(): void
  /** Says that no process runs jobs; undefined while one does, or may. */
  read(query: Query): Promise<WorkerAbsence | undefined>
}

/** A worker that is replaced may be away for so long, after it counts as dead. */
export const graceSeconds = 90
/** A process of which the others have heard nothing for so long counts as dead. */
const aliveForMs = 60_000

/**
 * Watches whether any process of the hub runs jobs. The answer comes from the database, so all
 * processes give the same. After a time in which this process could not tell that it lives, the
 * others could not either: it then gives them a minute to tell.
 */
export function watchWorkers ({ now, read = readWorkerAbsence }: {
  now: () => Date,
  read?: typeof readWorkerAbsence
}): WorkerWatch {
  let aliveMs: number | undefined
  let trustedFromMs = Number.NEGATIVE_INFINITY

  return {
    noteAlive () {
      const nowMs = now().getTime()
      if (aliveMs !== undefined && nowMs - aliveMs >= aliveForMs) trustedFromMs = nowMs + aliveForMs
      aliveMs = nowMs
    },
    async read (query) {
      return now().getTime() < trustedFromMs ? undefined : read(query, graceSeconds)
    }
  }
}
