import semver from 'semver'
import type { Registry } from '../../adapters/registry.ts'
import { keptOf } from '../../connections/adapter-for.ts'
import type { Connection } from '../../connections/entity.ts'
import type { EventJobsOf } from '../../connections/moves/event-changes.ts'
import type { Query } from '../../database/database.ts'
import { isUnwanted } from '../../events/event-to-job.ts'
import { listUnknownEvents, type UnknownEvent } from '../../events/store.ts'
import { unwantedSince } from '../../events/unmapped-topics.ts'
import { argumentOf, shellWord } from '../../words.ts'
import { findReplayed } from './replays.ts'
import { replayableUntil } from './view.ts'

/** Events of one type that started no job and were not replayed. */
export interface UnknownEvents {
  eventType: string
  count: number
  /** ISO 8601. */
  firstAt: string
  /** ISO 8601. */
  lastAt: string
  lastDeliveryId: string
  /** Later, a replay of the first of them is refused. ISO 8601. */
  replayableUntil: string
  /** Whether the connection knows the type by now, so that a replay starts jobs. */
  isKnown: boolean
  /** A loaded version of the adapter that knows the type. The connection could move to it. */
  newVersion: string | null
}

type AdapterOf = Pick<
  Connection,
  'platformType' | 'webhookEvents' | 'webhookRules' | 'adapterKey' | 'adapterVersion'
>

export interface UnknownEventsOptions {
  registry: Pick<Registry, 'find' | 'versions'>
  eventJobsOf: EventJobsOf
  /** For so many days an event can be replayed. Older ones do not count. */
  keptDays: number
}

/** The hub looks at so many events of all connections together, the newest first. */
const mostEvents = 10_000
/** The ids of their replays are computed, which keeps the thread busy. */
const mostAtOnce = 500
const mostTypes = 20
/** A sender that is being set up may send a mistyped name once or twice. */
const fewestOfStrangers = 3

/**
 * Finds the events of connections that started no job because the hub did not know their type, and
 * that can be replayed. The result has the types by the id of the connection: first those that a
 * replay would handle, then those for which a move is needed, and 20 of each connection at most. A
 * connection without such events is missing.
 */
export async function readUnknownEvents (
  query: Query,
  connections: readonly (AdapterOf & { id: string })[],
  options: UnknownEventsOptions
): Promise<Map<string, UnknownEvents[]>> {
  const ids = connections.map(({ id }) => id)
  const events = await listUnknownEvents(query, ids, { days: options.keptDays, limit: mostEvents })
  const left = await leaveOutReplayed(query, events)
  const byConnection = Map.groupBy(left, ({ connectionId }) => connectionId)
  return new Map(connections.flatMap(connection => {
    const found = byConnection.get(connection.id)
    return found === undefined ? [] : [[connection.id, countUnknownEvents(found, connection, options)] as const]
  }))
}

/** A replay starts a job, whose end speaks for itself. */
async function leaveOutReplayed (query: Query, events: readonly UnknownEvent[]): Promise<UnknownEvent[]> {
  const left: UnknownEvent[] = []
  for (let start = 0; start < events.length; start += mostAtOnce) {
    const some = events.slice(start, start + mostAtOnce)
    const replayed = await findReplayed(query, some.map(({ deliveryId }) => deliveryId))
    left.push(...some.filter(({ deliveryId }) => !replayed.has(deliveryId)))
  }
  return left
}

/** Counts the events of a connection by their types. */
export function countUnknownEvents (
  newestFirst: readonly UnknownEvent[],
  connection: AdapterOf,
  { registry, eventJobsOf, keptDays }: UnknownEventsOptions
): UnknownEvents[] {
  const known = eventJobsOf(connection, registry.find(connection.adapterKey, connection.adapterVersion))
  const newVersionFor = createVersionSearch(connection, { registry, eventJobsOf })
  const unwanted = unwantedSince(connection.webhookRules?.source)
  // While a hub is upgraded, an older process may keep an unwanted event of a newer one.
  const wanted = newestFirst.filter(({ eventType }) => !unwanted.has(eventType) && !isUnwanted(eventType))
  const counted = [...Map.groupBy(wanted, ({ eventType }) => eventType).values()].flatMap(ofType => {
    const [newest, oldest] = [ofType[0], ofType.at(-1)]
    if (newest === undefined || oldest === undefined) return []
    const { eventType } = newest
    const isKnown = known.has(eventType)
    return {
      eventType,
      count: ofType.length,
      firstAt: oldest.at,
      lastAt: newest.at,
      lastDeliveryId: newest.deliveryId,
      replayableUntil: replayableUntil({ createdAt: oldest.at }, keptDays).toISOString(),
      isKnown,
      newVersion: isKnown ? null : newVersionFor(eventType)
    }
  })
  const rankOf = ({ isKnown, newVersion }: UnknownEvents): number => isKnown ? 0 : newVersion === null ? 2 : 1
  return counted.toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count).slice(0, mostTypes)
}

/** Returns the function that finds the newest version that knows a type, first a stable one. */
function createVersionSearch (
  { platformType, adapterKey }: AdapterOf,
  { registry, eventJobsOf }: Pick<UnknownEventsOptions, 'registry' | 'eventJobsOf'>
): (eventType: string) => string | null {
  const versions = registry.versions(adapterKey).map(adapter => ({
    version: adapter.version,
    jobs: eventJobsOf({ platformType, ...keptOf(adapter) }, adapter)
  }))
  const stableFirst = [
    ...versions.filter(({ version }) => semver.prerelease(version) === null),
    ...versions.filter(({ version }) => semver.prerelease(version) !== null)
  ]
  return eventType => stableFirst.find(({ jobs }) => jobs.has(eventType))?.version ?? null
}

/**
 * Whether somebody should look at the events of a type: an installed version can handle them, or
 * they come again and again. Others are most likely a mistyped name of a test.
 */
export function needPerson ({ count, isKnown, newVersion }: UnknownEvents): boolean {
  return isKnown || newVersion !== null || count >= fewestOfStrangers
}

/** The time after which no longer all of the events can be replayed. ISO 8601. */
export function replayEndOf (found: readonly UnknownEvents[]): string {
  return found.map(({ replayableUntil }) => replayableUntil).toSorted()[0] ?? ''
}

/** The next commands for the first of the types, for a person. */
export function adviseOnUnknown (connection: { id: string, name: string }, [first]: readonly UnknownEvents[]): string {
  if (first === undefined) return ''
  const { eventType, firstAt, isKnown, newVersion } = first
  const name = argumentOf(connection)
  const replay = `\`linker deliveries replay --connection ${name} --status ignored --type ${shellWord(eventType)} ` +
    `--since ${firstAt} --dry-run\``
  if (isKnown) return `The connection knows '${eventType}' by now: ${replay} tells what a replay would do.`
  if (newVersion !== null) {
    const move = `\`linker connections move ${name} --to ${newVersion} --dry-run\``
    return `Version ${newVersion} of the adapter is loaded and knows '${eventType}': ${move} ` +
      `tells what a move would change. After the move, ${replay} tells what a replay ` +
      'would do.'
  }
  return 'Correct the event type at the sender, or install an adapter version that knows it: `linker upgrade --plan` ' +
    `then tells what it would change. After the move, ${replay} tells what a replay would do.`
}
