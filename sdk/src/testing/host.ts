import type { Static, TSchema } from '@sinclair/typebox'
import { createCurrentCall } from '../host/current-call.ts'
import type { ContextServices } from '../host/services.ts'
import { createAddressPolicy } from '../http/address-policy.ts'
import { createHttpClientFactory } from '../http/client.ts'
import type { HttpClientFactory } from '../http/http.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createMemoryServices, type Recorded } from './memory-services.ts'
import { openConnection, type OpenedConnection, type OpenOptions } from './open-connection.ts'

export interface TestHostOptions {
  /** The initial time of the clock. Default 2025-01-01T00:00:00Z. */
  now?: Date
}

/** A host of adapters in memory. It records everything that adapters do. */
export interface TestHost extends Recorded {
  readonly clock: TestClock
  readonly services: ContextServices
  /**
   * The real HTTP client. It may call this machine and public addresses, and nock can answer for
   * it.
   */
  readonly http: HttpClientFactory
  /**
   * Opens a connection and connects, provided that the adapter's schemas accept its config and
   * credentials.
   */
  open<
    Config extends TSchema,
    Credentials extends TSchema,
    Client,
    Factories extends object,
    Jobs
  >(options: OpenOptions<Config, Credentials, Client, Factories, Jobs>): Promise<
    OpenedConnection<Client, Static<Config>, Static<Credentials>, Factories, Jobs>
  >
  /**
   * Replaces stored credentials, as an operator or another process does. The next call makes a new
   * client.
   */
  setCredentials(connectionId: string, credentials: unknown): void
  /** Closes its connections to platforms. */
  close(): Promise<void>
}

const loopback = ['127.0.0.0/8', '::1/128']

/**
 * Makes a host with all services in memory and on its own clock. Nothing runs by itself: the host
 * only records enqueued jobs.
 */
export function createTestHost ({ now = new Date('2025-01-01T00:00:00Z') }: TestHostOptions = {}): TestHost {
  const clock = createTestClock(now)
  const memory = createMemoryServices(clock.now)
  const { services, recorded } = memory
  const currentCall = createCurrentCall()
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: loopback }),
    currentCall: () => currentCall.getStore()?.call,
    clock,
    onRequest (event) {
      services.upstream(event, currentCall.getStore()?.call.connection?.id)
    }
  })
  return {
    clock: { now: clock.now, advance: clock.advance },
    services,
    http,
    open: options => openConnection({ memory, clock, http, currentCall }, options),
    setCredentials (connectionId, credentials) {
      memory.storeCredentials(connectionId, credentials)
    },
    close,
    logs: recorded.logs,
    requests: recorded.requests,
    jobs: recorded.jobs,
    get connections () {
      return recorded.connections
    },
    get values () {
      return recorded.values
    },
    get cursors () {
      return recorded.cursors
    },
    get credentials () {
      return recorded.credentials
    },
    get counts () {
      return recorded.counts
    },
    get observations () {
      return recorded.observations
    }
  }
}
