interface Change {
  createdAt: string
  action: string
  actor: { name: string }
  objectName: string | null
}

/** The changes that may explain a bend in a plot, as the audit names them. */
const marking = /^connection\.(?:move|pause|resume|enable|disable|create|delete|fail|recover)/

/** A mark for each change that may explain a bend; times in seconds since 1970. */
export function marksOf (changes: readonly Change[]): { at: number, title: string }[] {
  return changes.filter(({ action }) => marking.test(action)).map(({ createdAt, action, actor, objectName }) => ({
    at: Date.parse(createdAt) / 1_000,
    title: `${action}${objectName === null ? '' : ` of ${objectName}`} by ${actor.name}`
  }))
}
