const connectionPath = /^\/connections\/:([A-Za-z0-9_]+)\//

/**
 * Returns the parameter of a route's path that names the connection; undefined for a route of the
 * platform as a whole.
 */
export function connectionParameterOf (path: string): string | undefined {
  return connectionPath.exec(path)?.[1]
}
