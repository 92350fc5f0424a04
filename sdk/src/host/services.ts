import type { HttpRequestEvent } from '../http/client.ts'
import type { PlatformConnection } from '../route.ts'
import type { FieldError } from '../schemas.ts'
import type { CommittedCursor, ListOptions, Log } from '../context.ts'

export type CheckedListOptions = Required<Omit<ListOptions, 'after'>> & Pick<ListOptions, 'after'>

/** Credentials as they are stored now. */
export interface StoredCredentials {
  value: unknown
}

/**
 * A flow that was asked for: taken with its data, which is stored no more, answered by whoever took
 * it before, or being worked on by somebody else.
 */
export type TakenFlow = { kind: 'taken', token: string, data: unknown } | { kind: 'answered', answer: unknown } | {
  kind: 'busy'
}

/**
 * What came of writing a connection: the adapter's schemas, or what holds for all connections, may
 * refuse it, and the host may fail to store it. `failure` is an error of the host as plain data:
 * its code is lost between threads.
 */
export type WrittenConnection =
  | { connection: { id: string, name: string } }
  | { problems: FieldError[] }
  | { failure: { code: string, message: string } }

export interface CheckedNewConnection {
  name: string
  config: Record<string, unknown>
  credentials: unknown
  credentialsLabel?: string
  values: Readonly<Record<string, unknown>>
}

/**
 * What the routes of a platform need beside contexts. A host gives every adapter version services
 * of its own, which know its platform: what is of another one is not there.
 */
export interface PlatformServices {
  /** Keeps the data under a new secret text and answers that. */
  beginFlow(data: unknown, ttlSeconds: number): Promise<string>
  /**
   * Takes the flow for `leaseMs` when nobody has. Undefined when it is unknown, expired or failed,
   * or the lease of whoever took it has lapsed.
   */
  takeFlow(state: string, leaseMs: number): Promise<TakenFlow | undefined>
  /**
   * Keeps the answer for five minutes; without an ending the flow has failed and nothing is left of
   * it.
   */
  endFlow(state: string, token: string, ending: { answer: unknown } | undefined): Promise<void>
  getConnection(connectionId: string): Promise<Omit<PlatformConnection<Record<string, unknown>>, 'kv'> | undefined>
  /** Answers the one that was created under this key before, if there is one. */
  createConnection(connection: CheckedNewConnection, key: string): Promise<WrittenConnection>
  replaceConnectionCredentials(
    connectionId: string,
    credentials: unknown,
    values: Readonly<Record<string, unknown>>
  ): Promise<WrittenConnection | undefined>
}

/** What a context is made of. */
export type ContextServices = Omit<HostServices, keyof PlatformServices>

/**
 * What a runtime brings so that adapters can be called: everything behind a context that is not
 * computed in place. Asynchronous, with plain data only, so that the adapter may run in another
 * thread than the services. `kv`, `cursor`, `locks` and the rest of a context are made of these.
 */
export interface HostServices extends PlatformServices {
  /** Undefined when there is none, or it has expired. */
  readValue(connectionId: string, key: string): Promise<unknown>
  /**
   * The context has checked all four: keys, values (JSON data within their limit) and times can be
   * stored. False: the values of the connection would have more than `mostConnectionBytes`
   * together, and it is not.
   */
  writeValue(connectionId: string, key: string, value: unknown, ttlSeconds: number | undefined): Promise<boolean>
  deleteValue(connectionId: string, key: string): Promise<void>
  /** The context has checked them, and filled in what was left out. */
  listValues(connectionId: string, options: CheckedListOptions): Promise<{ key: string, value: unknown }[]>
  readCursor(connectionId: string, name: string): Promise<string | undefined>
  listCursors(connectionId: string): Promise<CommittedCursor[]>
  /**
   * Takes the lock for `leaseMs` and answers a token, or undefined while somebody else holds it.
   */
  acquireLock(connectionId: string, name: string, leaseMs: number): Promise<string | undefined>
  /** Does nothing when the token's lease has lapsed. */
  releaseLock(connectionId: string, name: string, token: string): Promise<void>
  readCredentials(connectionId: string): Promise<StoredCredentials>
  /**
   * Stores credentials that were made from `replaces`, unless something else is stored by now.
   * Answers whether it did.
   */
  renewCredentials(connectionId: string, value: unknown, replaces: unknown): Promise<boolean>
  /** Id of the job that enqueueing this makes, or made. */
  identifyJob(connectionId: string, jobType: string, key: string): Promise<string>
  count(name: string, by: number): void
  observe(name: string, value: number): void
  log(level: keyof Log, fields: object, message: string): void
  /** One attempt of a request to the platform. */
  upstream(event: HttpRequestEvent, connectionId: string | undefined): void
}
