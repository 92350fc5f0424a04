/** One member that differs. An absent value is undefined; a secret has no values. */
export interface MemberChange {
  pointer: string
  from?: unknown
  to?: unknown
  isSecret?: boolean | undefined
}

type Members = Readonly<Record<string, unknown>>

/** The members that differ between two configs. Objects are compared member by member. */
export function configDiff (before: Members, after: Members, parent = ''): MemberChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap(name => {
    const [from, to] = [before[name], after[name]]
    const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (isMembers(from) && isMembers(to)) return configDiff(from, to, pointer)
    return isSame(from, to) ? [] : [{ pointer, from, to }]
  })
}

/** The changes of two people to the same config: those members that both of them changed. */
export function bothChanged (mine: readonly MemberChange[], theirs: readonly MemberChange[]): readonly string[] {
  return mine.map(({ pointer }) => pointer).filter(pointer =>
    theirs.some(other => covers(other.pointer, pointer) || covers(pointer, other.pointer))
  )
}

/** A value of a config as people read it. */
export function valueText (value: unknown, isSecret = false): string {
  if (isSecret) return '(secret)'
  return value === undefined ? '(absent)' : JSON.stringify(value)
}

function covers (outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

function isSame (a: unknown, b: unknown): boolean {
  if (isMembers(a) && isMembers(b)) return configDiff(a, b).length === 0
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
}

function isMembers (value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
