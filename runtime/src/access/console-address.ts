/** The path of the console. */
export const consolePath = '/console/'

/**
 * The path that signs a person in. The code stands in the fragment, which browsers send to no
 * server: no log of a proxy and no `Referer` has it.
 */
export function signInPath (code: string): string {
  return `${consolePath}#code=${code}`
}
