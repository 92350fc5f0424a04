import type { Static, TSchema } from '@sinclair/typebox'
import type { VendorCapabilityName } from '../context.ts'
import { createCurrentCall } from '../host/current-call.ts'
import type { ContextServices } from '../host/services.ts'
import { createAddressPolicy } from '../http/address-policy.ts'
import { createHttpClientFactory } from '../http/client.ts'
import type { HttpClientFactory } from '../http/http.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createMemoryServices, type Recorded } from './memory-services.ts'
import { openConnection, type OpenedConnection, type OpenOptions } from './open-connection.ts'
import { openTraffic } from './traffic.ts'

export interface TestHostOptions {
  /**
   * The initial time of the clock. Default 2025-01-01T00:00:00Z, or the time of the recording that
   * is replayed.
   */
  now?: Date
  /**
   * A file: the host writes every request to platforms and its answer there when it is closed,
   * without secrets and with made-up personal data. It replaces the file.
   */
  record?: string | URL
  /**
   * A file that `record` made: the host gives its answers, and sends nothing. A request that is not
   * recorded is a `RejectedError` that names the nearest one. Not together with `record`.
   */
  replay?: string | URL
  /**
   * Replaces values that the host does not know as personal, in recordings, and in requests before
   * they are compared with recorded ones. Called for each text, number and truth value with its
   * JSON pointer in the exchange, such as `/answer/body/0/note`; returns the value to write.
   */
  redact?: (value: string | number | boolean, pointer: string) => unknown
}

/** A host of adapters in memory. It records everything that adapters do. */
export interface TestHost extends Recorded {
  /** While it replays: the recorded requests that nobody has sent yet. */
  readonly unasked: readonly string[]
  /** While it replays: the requests that are not recorded, each with the nearest recorded one. */
  readonly unrecorded: readonly string[]
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
  /**
   * Serves a capability of another adapter, which `context.capability` then calls. An adapter that
   * the test opens on this host serves its own capabilities.
   */
  serveCapability(connectionId: string, name: VendorCapabilityName, implementation: object): void
  /** Closes its connections to platforms, and writes the recording. */
  close(): Promise<void>
}

const loopback = ['127.0.0.0/8', '::1/128']

/**
 * Makes a host with all services in memory and on its own clock. Nothing runs by itself: the host
 * only records enqueued jobs.
 */
export function createTestHost (options: TestHostOptions = {}): TestHost {
  const { recorder, replay, recordedAt, addConnection } = openTraffic(options, () => memory.recorded.credentials)
  const clock = createTestClock(options.now ?? recordedAt ?? new Date('2025-01-01T00:00:00Z'))
  const memory = createMemoryServices(clock.now)
  const { services, recorded } = memory
  const currentCall = createCurrentCall()
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: loopback }),
    currentCall: () => currentCall.getStore()?.call,
    clock,
    ...(replay === undefined ? {} : { intercept: replay.intercept }),
    recorder: () => recorder === undefined ? undefined : exchange => recorder.take(exchange, clock.now()),
    onRequest (event) {
      services.upstream(event, currentCall.getStore()?.call.connection?.id)
    }
  })
  return {
    clock: { now: clock.now, advance: clock.advance },
    services,
    http,
    async open (opened) {
      addConnection(opened.connection?.id ?? 'connection-1', opened.definition, opened.config)
      return openConnection({ memory, clock, http, currentCall }, opened)
    },
    setCredentials (connectionId, credentials) {
      memory.storeCredentials(connectionId, credentials)
    },
    serveCapability (connectionId, name, implementation) {
      memory.capabilities.stub(connectionId, name, implementation)
    },
    async close () {
      await close()
      await recorder?.write()
    },
    get unasked () {
      return replay?.unasked() ?? []
    },
    get unrecorded () {
      return replay?.unrecorded() ?? []
    },
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
