import type { Query } from '../../database/database.ts'
import type { JobRecord } from '../job.ts'

/** Why an ended job should not run again. */
export type RetryObstacle = 'connection-deleted' | 'connection-disabled' | 'type-unknown'

/** Says what keeps a job from running again; undefined when nothing does. */
export type ObstacleOf = (job: Pick<JobRecord, 'jobType' | 'connectionId'>) => RetryObstacle | undefined

/** Reads these connections, and returns the function that judges jobs of them. */
export type FindObstacles = (query: Query, connectionIds: readonly (string | null)[]) => Promise<ObstacleOf>
