import type { WebhookConnection } from '../connections/connection-cache.ts'
import type { EventMap, HasJob } from './event-to-job.ts'
import { unwantedSince, withMappedTopics } from './unmapped-topics.ts'

/** Event type → job type as the adapter declares it, and whether it has such a job. */
export interface JobsOfConnection {
  events?: EventMap | undefined
  hasJob?: HasJob
  /** Types of kept events that the adapter does not want any more. */
  unwanted?: ReadonlySet<string>
}

/** Whether jobs of a type run on a connection. */
export type HasJobOn = (connection: WebhookConnection, jobType: string) => boolean

/**
 * Returns which events start jobs on a connection. Takes the events from the connection, not from
 * its adapter: the adapter may be missing, and then the jobs wait for it.
 */
export function jobsOfConnection (connection: WebhookConnection, hasJob: HasJobOn): JobsOfConnection {
  return {
    events: withMappedTopics(
      connection.webhookEvents ?? undefined,
      connection.platformType,
      connection.webhookRules?.source
    ),
    hasJob: jobType => hasJob(connection, jobType),
    unwanted: unwantedSince(connection.webhookRules?.source)
  }
}
