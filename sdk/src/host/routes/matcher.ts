import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way'

/** A route that a request reaches, and the texts of its path parameters. */
export interface MatchedRoute<Route> {
  route: Route
  params: Readonly<Record<string, string>>
}

/** Tells which route a request reaches. */
export interface RouteMatcher<Route> {
  /** Throws when the router refuses the path, or has another route for it already. */
  add(method: string, path: string, route: Route): void
  /** `url` is the path of the request, with or without its query. */
  find(method: string, url: string): MatchedRoute<Route> | undefined
}

// A path parameter longer than this fits no route, as in the rest of the hub.
const mostParameterLength = 1_100

export function createRouteMatcher<Route> (): RouteMatcher<Route> {
  const router: Instance<HTTPVersion.V1> = createRouter({ maxParamLength: mostParameterLength })
  return {
    add (method, path, route) {
      router.on(method as HTTPMethod, path, () => undefined, route)
    },
    find (method, url) {
      // A HEAD is a GET whose body is not sent.
      const found = router.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, url)
      if (found === null) return undefined
      const params = Object.entries(found.params).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]]
      )
      return { route: found.store as Route, params: Object.fromEntries(params) }
    }
  }
}
