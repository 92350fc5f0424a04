/** The filter of a list as it stands in the address, without the members that are empty. */
export type Filter<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** Reads the members of a filter from the query of an address. Others are left out. */
export function readFilter<Name extends string> (
  query: Readonly<Record<string, string>>,
  names: readonly Name[]
): Filter<Name> {
  const given = names.flatMap(name => {
    const value = query[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given) as Filter<Name>
}

/** The address of a list under a filter. */
export function withFilter (path: string, filter: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined && value !== '') search.set(name, value)
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}
