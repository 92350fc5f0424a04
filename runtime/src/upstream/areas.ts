import { isArea } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import type { TrafficState, UpstreamState } from './stored-state.ts'

/** The name of an area of a platform. Undefined: the whole connection. */
export type Area = string | undefined

const mostConnections = 10_000
/** An adapter that names its objects as areas would make the states of its connections grow. */
const mostAreas = 20

/**
 * Returns the function that finds the area for the name that a request of a connection gives. An
 * adapter in its own thread can send any name.
 */
export function createAreas (): (connectionId: string, name: unknown) => Area {
  const known = new LRUCache<string, Set<string>>({ max: mostConnections })
  return (connectionId, name) => {
    if (!isArea(name)) return undefined
    const names = known.get(connectionId) ?? new Set()
    known.set(connectionId, names)
    if (names.size < mostAreas) names.add(name)
    return names.has(name) ? name : undefined
  }
}

/** The state of an area, or that of the whole connection. */
export function partOf (state: UpstreamState, area: Area): TrafficState {
  if (area === undefined) return state
  return Object.hasOwn(state.areas ?? {}, area) ? state.areas?.[area] ?? {} : {}
}

/** The names of the areas of which the hub knows something. */
export function namesOf ({ areas = {} }: UpstreamState): string[] {
  return Object.keys(areas)
}

/**
 * Changes the state of an area, or that of the whole connection. Returns the same object when the
 * change does.
 */
export function changePart (
  state: UpstreamState,
  area: Area,
  change: (part: TrafficState) => TrafficState
): UpstreamState {
  const { own, areas, ...whole } = state
  const part = area === undefined ? whole : partOf(state, area)
  const next = change(part)
  if (next === part) return state
  if (area !== undefined) return withAreas(state, { ...areas, [area]: next })
  return { ...next, ...(own === undefined ? {} : { own }), ...(areas === undefined ? {} : { areas }) }
}

/** The state with these areas, without those of which nothing is known. */
export function withAreas (state: UpstreamState, areas: Readonly<Record<string, TrafficState>>): UpstreamState {
  const { areas: _areas, ...whole } = state
  const known = Object.entries(areas).filter(([, part]) => Object.keys(part).length > 0)
  return known.length === 0 ? whole : { ...whole, areas: Object.fromEntries(known) }
}
