import type { Registry } from './registry.ts'
import type { Pinned } from './view.ts'

/** An adapter that connections name, and that does not serve in a process. */
export interface AwayAdapter extends Pick<Pinned, 'adapterKey' | 'adapterVersion'> {
  /** Why it does not serve. */
  problem: string
}

/** A process of the hub that is alive, and the adapters that do not serve in it. */
export interface ServingProcess {
  host: string
  pid: number
  adaptersAway: readonly AwayAdapter[]
}

/** Bounds the row of a process. */
const longestProblem = 2_000

/** Returns those of the adapters that connections name which do not serve in this process now. */
export function findAway (
  registry: Pick<Registry, 'find' | 'explain'>,
  pins: readonly Pick<Pinned, 'adapterKey' | 'adapterVersion'>[]
): AwayAdapter[] {
  return pins.flatMap(({ adapterKey, adapterVersion }) => {
    const problem = problemOf(registry, adapterKey, adapterVersion)
    return problem === undefined ? [] : [{ adapterKey, adapterVersion, problem: problem.slice(0, longestProblem) }]
  })
}

function problemOf (
  registry: Pick<Registry, 'find' | 'explain'>,
  adapterKey: string,
  version: string | null
): string | undefined {
  const adapter = registry.find(adapterKey, version)
  if (adapter === undefined) return registry.explain(adapterKey, version)
  const health = adapter.carrier.health()
  if (health.state === 'ready' || health.state === 'degraded') return undefined
  return 'message' in health ? health.message : 'The adapter does not run'
}
