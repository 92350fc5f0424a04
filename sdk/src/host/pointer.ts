/** Escapes a name for a JSON pointer (RFC 6901). */
export function escapePointer (member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Follows a JSON pointer (RFC 6901) along own members. The empty one points to the whole value. */
export function valueAt (value: unknown, pointer: string): unknown {
  if (pointer === '') return value
  return pointer.slice(1).split('/').map(name => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(
    memberOf,
    value
  )
}

function memberOf (value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // An array has a `length` that no sender wrote.
  return Array.isArray(value) && !/^\d+$/.test(name) ? undefined : Reflect.get(value, name)
}
