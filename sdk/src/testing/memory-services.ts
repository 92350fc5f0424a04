import { createHash } from 'node:crypto'
import type { Log } from '../context.ts'
import type { CallEffects } from '../host/carrier.ts'
import { createMemoryState, plain, type MemoryState } from '../host/memory-state.ts'
import type { ContextServices, HostServices } from '../host/services.ts'
import type { HttpRequestEvent } from '../http/client.ts'
import { createMemoryCapabilities, type MemoryCapabilities } from './memory-capabilities.ts'
import {
  createMemoryPlatforms,
  prepareCredentials,
  type ServedPlatform,
  type TestConnection
} from './memory-platform.ts'

export interface TestLogLine {
  level: keyof Log
  fields: object
  message: string
}
export interface TestRequest extends HttpRequestEvent {
  connectionId?: string
}
export interface TestJob {
  id: string
  connectionId: string
  jobType: string
  payload: Readonly<Record<string, unknown>>
  key: string
  delayMs?: number
}

/** The recorded actions of adapters on a test host, oldest first. */
export interface Recorded {
  /** Log lines as the host received them, without secrets. */
  readonly logs: TestLogLine[]
  /** Attempts of requests to platforms. */
  readonly requests: TestRequest[]
  /** Connections that a test opened or a route created. */
  readonly connections: readonly TestConnection[]
  /** Connection id → key → value, without expired values. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Connection id → name → committed position. */
  readonly cursors: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Jobs that calls enqueued, each key once. The host does not run them. */
  readonly jobs: TestJob[]
  /** Connection id → stored credentials. */
  readonly credentials: Readonly<Record<string, unknown>>
  /** Name → total. */
  readonly counts: Readonly<Record<string, number>>
  /** Name → values. */
  readonly observations: Readonly<Record<string, readonly number[]>>
}

export interface MemoryServices extends Pick<MemoryState, 'storeCredentials' | 'credentialsVersion'> {
  /** The capabilities that adapters on this host can call. */
  capabilities: MemoryCapabilities
  services: ContextServices
  /** All services, including those for the routes of a platform. */
  servicesOf(platform: ServedPlatform): HostServices
  recorded: Recorded
  putConnection(connection: TestConnection): void
  /** Stores the effects of a call, as its end does. */
  applyEffects(connectionId: string, effects: CallEffects): void
}

/** Creates every service of a host, in memory. */
export function createMemoryServices (now: () => Date): MemoryServices {
  const state = createMemoryState(now)
  const jobs: TestJob[] = []
  const telemetry = recordTelemetry()
  const capabilities = createMemoryCapabilities()
  const services: ContextServices = {
    ...state.services,
    identifyJob: async (connectionId, jobType, key) => jobIdOf(connectionId, jobType, key),
    callCapability: request => capabilities.answer(request),
    admitRequest: async () => undefined,
    ...telemetry.services
  }
  const platforms = createMemoryPlatforms({
    now,
    storeCredentials (connectionId, credentials, platform) {
      state.storeCredentials(connectionId, credentials, value => prepareCredentials(platform, value))
    },
    writeValue: state.putValue
  })

  return {
    capabilities,
    services,
    servicesOf: platform => ({ ...services, ...platforms.servicesOf(platform) }),
    putConnection: platforms.put,
    recorded: {
      ...telemetry.recorded,
      jobs,
      get connections () {
        return structuredClone([...platforms.connections.values()])
      },
      get values () {
        return state.values()
      },
      get cursors () {
        return state.cursors()
      },
      get credentials () {
        return state.credentials()
      },
      get counts () {
        return telemetry.recorded.counts
      },
      get observations () {
        return telemetry.recorded.observations
      }
    },
    applyEffects (connectionId, effects) {
      for (const [name, value] of Object.entries(effects.cursors)) state.putCursor(connectionId, name, value)
      for (const job of effects.jobs) {
        const id = jobIdOf(connectionId, job.jobType, job.key)
        if (!jobs.some(known => known.id === id)) jobs.push({ id, connectionId, ...job })
      }
    },
    storeCredentials: state.storeCredentials,
    credentialsVersion: state.credentialsVersion
  }
}

type Telemetry = 'log' | 'upstream' | 'count' | 'observe'

function recordTelemetry (): {
  services: Pick<HostServices, Telemetry>,
  recorded: Pick<Recorded, 'logs' | 'requests' | 'counts' | 'observations'>
} {
  const logs: TestLogLine[] = []
  const requests: TestRequest[] = []
  const counts = new Map<string, number>()
  const observations = new Map<string, number[]>()
  return {
    services: {
      log (level, fields, message) {
        logs.push({ level, fields, message })
      },
      upstream (event, connectionId) {
        requests.push({ ...event, ...(connectionId === undefined ? {} : { connectionId }) })
      },
      count (name, by) {
        counts.set(name, (counts.get(name) ?? 0) + by)
      },
      observe (name, value) {
        observations.set(name, [...observations.get(name) ?? [], value])
      }
    },
    recorded: {
      logs,
      requests,
      get counts () {
        return plain(counts, total => total)
      },
      get observations () {
        return plain(observations, seen => seen)
      }
    }
  }
}

function jobIdOf (connectionId: string, jobType: string, key: string): string {
  const hash = createHash('sha256').update(JSON.stringify([connectionId, jobType, key])).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}
