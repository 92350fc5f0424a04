interface SweepLike {
  connectionId: string
  status: string
}

/**
 * The sweeps that wait for a person: held, and the last ended one of their shop. `sweeps` has the
 * newest first. A newer complete sweep settles an older held one.
 */
export function heldOf<Sweep extends SweepLike> (sweeps: readonly Sweep[]): Sweep[] {
  const settled = new Set<string>()
  return sweeps.filter(({ connectionId, status }) => {
    if (status === 'running' || settled.has(connectionId)) return false
    settled.add(connectionId)
    return status === 'held'
  })
}
