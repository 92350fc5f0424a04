export interface Offered {
  value: string
  title: string
}

/** The values that a route of an adapter offers for a field; all else in its answer is left out. */
export function offersOf (answer: unknown): readonly Offered[] {
  if (!Array.isArray(answer)) return []
  return answer.flatMap((choice: unknown) => {
    const { const: value, title } = (choice ?? {}) as { const?: unknown, title?: unknown }
    return typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : value }] : []
  })
}

/** Where a route of the adapters of a platform is served. */
export function routeAddress (platformType: string, path: string): string {
  return `/integrations/${platformType}${path}`
}
