import { nameOf, type RouteDescription } from '@linker/sdk/host'
import {
  connectionParameterOf,
  createRouteMatcher,
  type MatchedRoute,
  type RouteMatcher
} from '@linker/sdk/host/routes'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { isUuid } from '../text-patterns.ts'
import { createCheckInput, type CheckInput } from './route-input.ts'

/** A route of one adapter version. */
export interface AdapterRoute {
  adapter: LoadedAdapter
  /** Position in the adapter's description. A call names the route by it. */
  index: number
  description: RouteDescription
  /** Where the hub serves it. */
  path: string
  /** The parameter that names the connection; undefined on a route of the platform as a whole. */
  connectionParameter: string | undefined
  checkInput: CheckInput
}

export type FoundRoute = MatchedRoute<AdapterRoute>

/**
 * The routes that a request may reach. A route of connections has one candidate for each version
 * that declares it; the version that the connection pins serves the request.
 */
export interface Reach {
  connectionId?: string
  candidates: readonly FoundRoute[]
}

export interface RouteTable {
  /** Every route that a request can reach, each one once. The OpenAPI document describes these. */
  readonly routes: readonly AdapterRoute[]
  /** Routes that the router refuses, so that no request can reach them. */
  readonly refused: readonly { path: string, adapter: string, reason: string }[]
  find(request: { platformType: string, method: string, url: string }): Reach
}

interface Version {
  ofConnections: RouteMatcher<AdapterRoute>
  ofPlatform: RouteMatcher<AdapterRoute>
  routes: AdapterRoute[]
}
interface Platform {
  versions: readonly Version[]
  serving: Version | undefined
}

/**
 * The routes of the adapters that a registry has. Fastify takes no new routes once it listens. So
 * it has one catch-all route, and this table tells which route of an adapter that serves. A new
 * table, made from another registry, replaces this one at once.
 *
 *     /connections/:connectionId/…   the version that the connection pins, be it the default or not
 *     anything else                  the version that serves the platform by default
 */
export function createRouteTable (registry: Registry): RouteTable {
  const refused: RouteTable['refused'][number][] = []
  const adapters = registry.records.flatMap(({ adapter }) => adapter ?? [])
  const versions = new Map(adapters.map(adapter => [
    adapter,
    createVersion(adapter, (path, reason) => {
      refused.push({ path, adapter: `${adapter.manifest.adapterKey}@${adapter.version}`, reason })
    })
  ]))
  const platforms = new Map([...Map.groupBy(adapters, adapter => adapter.manifest.platformType)]
    .map(([platformType, ofPlatform]): [string, Platform] => {
      const defaultKey = registry.defaultKey(platformType)
      const serving = defaultKey === undefined ? undefined : registry.find(defaultKey)
      const ordered = ofPlatform.toSorted((a, b) => Number(b === serving) - Number(a === serving))
      return [platformType, {
        versions: ordered.flatMap(adapter => versions.get(adapter) ?? []),
        serving: serving === undefined ? undefined : versions.get(serving)
      }]
    }))

  return {
    refused,
    routes: [...platforms.values()].flatMap(reachable),
    find ({ platformType, method, url }) {
      const platform = platforms.get(platformType)
      if (platform === undefined) return { candidates: [] }
      const ofConnection = platform.versions.flatMap(({ ofConnections }) => ofConnections.find(method, url) ?? [])
      const [first] = ofConnection
      const connectionId = first?.params[first.route.connectionParameter ?? '']
      if (connectionId !== undefined && isUuid(connectionId)) return { connectionId, candidates: ofConnection }
      const ofPlatform = platform.serving?.ofPlatform.find(method, url)
      if (ofPlatform !== undefined) return { candidates: [ofPlatform] }
      return connectionId === undefined ? { candidates: [] } : { connectionId, candidates: ofConnection }
    }
  }
}

function createVersion (adapter: LoadedAdapter, refuse: (path: string, reason: string) => void): Version {
  const version: Version = {
    ofConnections: createRouteMatcher(),
    ofPlatform: createRouteMatcher(),
    routes: []
  }
  for (const [index, description] of adapter.description.routes.entries()) {
    const path = `/integrations/${adapter.manifest.platformType}${description.path}`
    const connectionParameter = connectionParameterOf(description.path)
    const route: AdapterRoute = {
      adapter,
      index,
      description,
      path,
      connectionParameter,
      checkInput: createCheckInput(description)
    }
    try {
      const matcher = connectionParameter === undefined ? version.ofPlatform : version.ofConnections
      matcher.add(description.method, path, route)
      version.routes.push(route)
    } catch (error) {
      refuse(`${description.method} ${path}`, error instanceof Error ? error.message : String(error))
    }
  }
  return version
}

/**
 * Lists the routes of the platform itself as its default version declares them. Lists a route of
 * connections as the first version that has it declares it, and asks the default version first.
 */
function reachable ({ versions, serving }: Platform): AdapterRoute[] {
  const routes = versions.flatMap(version =>
    version.routes.filter(route => route.connectionParameter !== undefined || version === serving)
  )
  return [...new Map(routes.toReversed().map(route => [nameOf(route.description), route])).values()].toReversed()
}
