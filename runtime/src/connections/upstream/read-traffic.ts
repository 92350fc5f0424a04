import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Query } from '../../database/database.ts'
import type { AreaTraffic, Traffic } from '../../upstream/schemas.ts'
import { readState } from '../../upstream/store.ts'
import { viewOf } from '../../upstream/view.ts'

/**
 * Reads the traffic to the platform of a connection. `serving`: its adapter, if it is
 * loaded. `redact` removes the secrets of the connection from the texts of the platform.
 */
export async function readTraffic (
  query: Query,
  connectionId: string,
  serving: Pick<LoadedAdapter, 'description'> | undefined,
  redact: (text: string) => unknown
): Promise<Traffic> {
  const { state, nowMs } = await readState(query, connectionId)
  const { areas, ...whole } = viewOf(state, serving?.description.budget, nowMs)
  return { ...withoutSecrets(whole, redact), areas: areas.map(area => withoutSecrets(area, redact)) }
}

function withoutSecrets<Part extends Pick<AreaTraffic, 'rest' | 'breaker'>> (
  part: Part,
  redact: (text: string) => unknown
): Part {
  const { rest, breaker } = part
  const { failure } = breaker
  return {
    ...part,
    rest: rest === null ? null : { ...rest, reason: String(redact(rest.reason)) },
    breaker: { ...breaker, failure: failure === null ? null : String(redact(failure)) }
  }
}
