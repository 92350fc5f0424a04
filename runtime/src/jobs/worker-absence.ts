import type { Query } from '../database/database.ts'

/** Tells that no process of the hub runs jobs. */
export interface WorkerAbsence {
  /** ISO 8601; null when the hub knows of none that ever ran any. */
  since: string | null
}

/** Says that no process runs jobs; undefined while one does, or may. */
export type ReadWorkerAbsence = (this: void, query: Query) => Promise<WorkerAbsence | undefined>
