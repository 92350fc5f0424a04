import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Connection } from '../entity.ts'

/** The event types that start jobs, each with the type of its job. */
export type EventJobs = ReadonlyMap<string, string>

/**
 * Tells which events start jobs on a connection. `adapter` is undefined when it is not installed.
 */
export type EventJobsOf = (
  connection: Pick<Connection, 'platformType' | 'webhookEvents' | 'webhookRules'>,
  adapter: LoadedAdapter | undefined
) => EventJobs

/**
 * An event type that starts another job after a move. `from` is absent when the hub ignored events
 * of this type, and `to` when it will ignore them.
 */
export interface EventChange {
  eventType: string
  from?: string
  to?: string
}

export function listEventChanges (before: EventJobs, after: EventJobs): EventChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap(eventType => {
    const [from, to] = [before.get(eventType), after.get(eventType)]
    if (from === to) return []
    return [{ eventType, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]
  })
}
