/** The path of the console. */
export const consolePath = '/console/'

/**
 * The path that signs a person in. The code stands in the fragment, which browsers send to no
 * server: no log of a proxy and no `Referer` has it.
 */
export function signInPath (code: string): string {
  return `${consolePath}#code=${code}`
}

/** The address of a path for a browser. `hubUrl` counts when the hub has no public address. */
export function addressOf (path: string, hubUrl: string, publicUrl: string | null | undefined): string {
  return (publicUrl ?? hubUrl).replace(/\/+$/, '') + path
}
