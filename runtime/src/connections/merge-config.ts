/**
 * JSON merge patch (RFC 7396) of a connection's config: objects merge deeply, `null` removes,
 * everything else replaces.
 */
export function mergeConfig (
  current: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  const merged = new Map(Object.entries(current))
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergeConfig(isObject(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
