import type { OAuthCredentials, Log } from '../../context.ts'
import type { Manifest } from '../../manifest.ts'

export interface ProbeCredentials extends OAuthCredentials { refreshToken: string }

/** One thing that the probe does with its context. Plain data, since it may have to get into a thread. */
export type Step =
  | { do: 'get' | 'delete' | 'add' | 'waitFor', key: string }
  | { do: 'set', key: string, value: unknown, options?: { ttlSeconds?: number } }
  | { do: 'setUnstorable', kind: 'undefined' | 'function' | 'cyclic' | 'bigint' | 'nul' | 'halfPair' }
  | { do: 'setDate', key: string, iso: string }
  | { do: 'readCursor', name: string }
  | { do: 'setCursor', name: string, value: string }
  | { do: 'enqueue', jobType: string, payload: Readonly<Record<string, unknown>>, key: string }
  | { do: 'lock', name: string, steps: readonly Step[] }
  /** Asks for a token. A refresh counts `refreshes`, runs `during` and answers `renewed`. */
  | { do: 'token', renewed: object, during?: readonly Step[], rejected?: string }
  | { do: 'count', name: string, by?: number }
  | { do: 'observe', name: string, value: number }
  | { do: 'log', level: keyof Log, fields: object, message: string, withFunction?: boolean }
  | { do: 'credentials' | 'deadline' | 'untilAborted' }
  /** Answers the error that its steps end with. */
  | { do: 'attempt', steps: readonly Step[] }
  | { do: 'fail', message: string }

export const probeManifest: Manifest = {
  adapterKey: 'probe.api.v1', platformType: 'probe', displayName: 'Probe', capabilities: [], permissions: { jobs: ['probe.*'] }
}

/** Module of the probe, for a host that loads adapters by their address. Its default export is the adapter. */
export const probeEntry = new URL(import.meta.url.endsWith('.ts') ? './probe.ts' : './probe.js', import.meta.url).href
