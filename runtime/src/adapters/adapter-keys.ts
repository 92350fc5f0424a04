/**
 * Returns the oldest major of the platform's only interface, so that installing a `.v2` beside a
 * `.v1` changes no default. Undefined with two interfaces.
 */
export function deriveDefault (adapterKeys: readonly string[]): string | undefined {
  return new Set(adapterKeys.map(interfaceOf)).size === 1 ? oldestFirst(adapterKeys)[0] : undefined
}

/**
 * Returns the key that serves in place of the one that served a platform first: itself, or the
 * oldest major of its interface that is loaded. Another interface never takes its place.
 */
export function standIn (first: string, loaded: readonly string[]): string {
  if (loaded.includes(first)) return first
  return oldestFirst(loaded).find(key => interfaceOf(key) === interfaceOf(first)) ?? first
}

/**
 * Keys of the same interface with a higher major, the lowest first: `shop.api.v2` for
 * `shop.api.v1`.
 */
export function newerMajorKeys (adapterKey: string, keys: readonly string[]): string[] {
  return oldestFirst(keys).filter(key =>
    interfaceOf(key) === interfaceOf(adapterKey) && majorOf(key) > majorOf(adapterKey)
  )
}

/** `shop.api` for `shop.api.v1`. */
export function interfaceOf (adapterKey: string): string {
  return adapterKey.slice(0, adapterKey.lastIndexOf('.'))
}

function oldestFirst (keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => majorOf(a) - majorOf(b))
}

function majorOf (adapterKey: string): number {
  return Number(adapterKey.slice(adapterKey.lastIndexOf('.v') + 2))
}
