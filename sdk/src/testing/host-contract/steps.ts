import type { ListOptions, Log, OAuthCredentials } from '../../context.ts'
import type { Manifest } from '../../manifest.ts'
import type { NewConnection } from '../../route.ts'

export interface ProbeCredentials extends OAuthCredentials {
  refreshToken: string
}

/**
 * One step of the probe with its context. Plain data, because it may have to cross into a thread.
 */
export type Step =
  | { do: 'get' | 'delete' | 'add' | 'waitFor', key: string }
  /** Stores `yes` or `no` under the key. */
  | { do: 'isAborted', key: string }
  | { do: 'set', key: string, value: unknown, options?: { ttlSeconds?: number } }
  | { do: 'setUnstorable', kind: 'undefined' | 'function' | 'cyclic' | 'bigint' | 'nul' | 'halfPair' }
  | { do: 'setDate', key: string, iso: string }
  | { do: 'list', options: ListOptions }
  | { do: 'readCursor', name: string }
  | { do: 'setCursor', name: string, value: string }
  | { do: 'enqueue', jobType: string, payload: Readonly<Record<string, unknown>>, key: string, delayMs?: number }
  /**
   * Stores values of `characters` characters until the host refuses one. Returns the number of
   * stored values and the error.
   */
  | { do: 'fill', characters: number }
  | { do: 'enqueueMany', count: number, characters: number }
  | { do: 'lock', name: string, steps: readonly Step[] }
  /** Asks for a token. A refresh counts `refreshes`, runs `during` and answers `renewed`. */
  | { do: 'token', renewed: object, during?: readonly Step[], rejected?: string }
  /** Runs the steps through the probe's own capability, on its connection or another one. */
  | {
    do: 'call',
    steps: readonly Step[],
    connectionId?: string,
    capability?: `${string}/${string}`,
    /** Another method than `run`. */
    method?: string
  }
  | { do: 'callMany', count: number }
  | { do: 'count', name: string, by?: number }
  | { do: 'observe', name: string, value: number }
  | { do: 'log', level: keyof Log, fields: object, message: string, withFunction?: boolean }
  | { do: 'listCursors' | 'credentials' | 'deadline' | 'untilAborted' }
  /** Returns the error of its steps. */
  | { do: 'attempt', steps: readonly Step[] }
  | { do: 'fail' | 'lose' | 'refuse', message: string }

/** One step of the probe's route with its host. */
export type RouteStep =
  | { do: 'begin', data?: unknown, ttlSeconds: number }
  /** Its work logs `worked`, runs `during` and answers `answer`, or its data by default. */
  | {
    do: 'complete',
    state: string,
    proof?: string,
    during?: readonly RouteStep[],
    answer?: unknown,
    answersNothing?: boolean
  }
  /** Returns the connection with its values. */
  | { do: 'getConnection', id: string }
  | { do: 'createConnection', connection: NewConnection, key: string }
  | { do: 'replaceCredentials', id: string, credentials: object, values?: Readonly<Record<string, unknown>> }
  | { do: 'waitForValue', id: string, key: string }
  | { do: 'setValue', id: string, key: string, value: unknown }
  | { do: 'log', fields: object, message: string }
  | { do: 'attempt', steps: readonly RouteStep[] }
  | { do: 'fail', message: string }

export const probeManifest: Manifest = {
  adapterKey: 'probe.api.v1',
  platformType: 'probe',
  displayName: 'Probe',
  capabilities: ['probe/Steps'],
  permissions: { jobs: ['probe.*'], routes: true, connections: true, capabilities: ['probe/Steps'] }
}

/** The probe under another name, which owns nothing of the first probe. */
export const otherManifest: Manifest = { ...probeManifest, adapterKey: 'other.api.v1', platformType: 'other' }

/**
 * The module of the probe, for a host that loads adapters by their address. Its default export is
 * the adapter.
 */
export const probeEntry = new URL(import.meta.url.endsWith('.ts') ? './probe.ts' : './probe.js', import.meta.url).href
