import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Query } from '../../database/database.ts'
import type { Traffic } from '../../upstream/schemas.ts'
import { readState } from '../../upstream/store.ts'
import { viewOf } from '../../upstream/view.ts'

/**
 * Reads the traffic to the platform of a connection. `serving`: its adapter, if it is
 * loaded. `redact` removes the secrets of the connection from the failure.
 */
export async function readTraffic (
  query: Query,
  connectionId: string,
  serving: Pick<LoadedAdapter, 'description'> | undefined,
  redact: (text: string) => unknown
): Promise<Traffic> {
  const { state, nowMs } = await readState(query, connectionId)
  const { breaker, ...view } = viewOf(state, serving?.description.budget, nowMs)
  const { failure } = breaker
  return { ...view, breaker: { ...breaker, failure: failure === null ? null : String(redact(failure)) } }
}
