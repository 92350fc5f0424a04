import type { CommittedCursor, ListOptions, Log } from '../context.ts'
import type { HttpRequestEvent, RefusedRequest } from '../http/client.ts'
import type { PlatformConnection } from '../route.ts'
import type { FieldError } from '../schemas/values.ts'
import type { ErrorData } from './errors.ts'

export type CheckedListOptions = Required<Omit<ListOptions, 'after'>> & Pick<ListOptions, 'after'>

/** The credentials stored now. */
export interface StoredCredentials {
  value: unknown
  /** As in `ConnectionSnapshot`. */
  version: string
  /** The last refusal of a refresh, perhaps of other credentials. */
  refusal?: RefreshRefusal | undefined
}

/** The platform refused to renew credentials. Another try with the same input is refused, too. */
export interface RefreshRefusal {
  /** Names the input of the refresh: credentials and settings. */
  input: string
  message: string
}

/**
 * A requested flow: taken, with its data, which the host no longer stores; answered by an earlier
 * caller; or busy, because another caller works on it.
 */
export type TakenFlow = { kind: 'taken', token: string, data: unknown } | { kind: 'answered', answer: unknown } | {
  kind: 'busy'
}

/**
 * The result of writing a connection: the adapter's schemas, or the rules for all connections, may
 * refuse it, and the host may fail to store it. `failure` is an error of the host as plain data,
 * because an error would lose its code between threads.
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

/** A call of a capability by an adapter, on its own connection or another one. */
export interface CapabilityRequest {
  /** The call that makes this one. */
  traceId: string | undefined
  connectionId: string
  capability: string
  method: string
  args: readonly unknown[]
}

/** The end of a called method. The error is plain data: an error would lose its code. */
export type CapabilityAnswer = { value: unknown } | { error: ErrorData }

/**
 * The services that the routes of a platform need besides contexts. A host gives every adapter
 * version its own services, bound to its platform: they hide everything of other platforms.
 */
export interface PlatformServices {
  /** Keeps the data under a new secret text and returns this text. */
  beginFlow(data: unknown, ttlSeconds: number): Promise<string>
  /**
   * Takes the flow for `leaseMs` when no caller has taken it. Returns undefined when the flow is
   * unknown, expired or failed, or the lease of its caller has lapsed.
   */
  takeFlow(state: string, leaseMs: number): Promise<TakenFlow | undefined>
  /**
   * Keeps the answer for five minutes. Without an ending the flow has failed, and the host deletes
   * it.
   */
  endFlow(state: string, token: string, ending: { answer: unknown } | undefined): Promise<void>
  getConnection(connectionId: string): Promise<Omit<PlatformConnection<Record<string, unknown>>, 'kv'> | undefined>
  /** Returns the connection created earlier under this key, if there is one. */
  createConnection(connection: CheckedNewConnection, key: string): Promise<WrittenConnection>
  replaceConnectionCredentials(
    connectionId: string,
    credentials: unknown,
    values: Readonly<Record<string, unknown>>
  ): Promise<WrittenConnection | undefined>
}

/** The services that a context needs. */
export type ContextServices = Omit<HostServices, keyof PlatformServices>

/**
 * The services of a runtime that adapters need: everything behind a context that is not computed in
 * place. They are asynchronous and take only plain data, so that the adapter may run in another
 * thread. The context builds `kv`, `cursor`, `locks` and the rest on them.
 */
export interface HostServices extends PlatformServices {
  /** Returns undefined when there is no value or it has expired. */
  readValue(connectionId: string, key: string): Promise<unknown>
  /**
   * The context has checked all four: keys, values (JSON data within their limit) and times can be
   * stored. Returns false, and stores nothing, when the values of the connection would exceed
   * `mostConnectionBytes` together.
   */
  writeValue(connectionId: string, key: string, value: unknown, ttlSeconds: number | undefined): Promise<boolean>
  deleteValue(connectionId: string, key: string): Promise<void>
  /** The context has checked the options and filled in the defaults. */
  listValues(connectionId: string, options: CheckedListOptions): Promise<{ key: string, value: unknown }[]>
  readCursor(connectionId: string, name: string): Promise<string | undefined>
  listCursors(connectionId: string): Promise<CommittedCursor[]>
  /**
   * Takes the lock for `leaseMs` and returns a token, or undefined while another caller holds it.
   */
  acquireLock(connectionId: string, name: string, leaseMs: number): Promise<string | undefined>
  /** Releases the lock. Does nothing when the token's lease has lapsed. */
  releaseLock(connectionId: string, name: string, token: string): Promise<void>
  readCredentials(connectionId: string): Promise<StoredCredentials>
  /**
   * Stores credentials made from `replaces`, unless the stored ones have changed by now. Returns
   * the new version if it stored them.
   */
  renewCredentials(connectionId: string, value: unknown, replaces: unknown): Promise<string | undefined>
  /** Keeps the refusal with the stored credentials, so that no process asks again. */
  refuseRefresh(connectionId: string, refusal: RefreshRefusal): Promise<void>
  /** Returns the id of the job that this enqueue makes or made. */
  identifyJob(connectionId: string, jobType: string, key: string): Promise<string>
  /**
   * Calls a method of a capability during the call of `traceId`. The context has checked that the
   * manifest and the config permit it, and limits their number and depth.
   */
  callCapability(request: CapabilityRequest): Promise<CapabilityAnswer>
  count(name: string, by: number): void
  observe(name: string, value: number): void
  log(level: keyof Log, fields: object, message: string): void
  /**
   * Called before each attempt of a request to the platform, with the connection and the `traceId`
   * of the call that sends it. Resolves when the request may go out, or says why it must not.
   * `renewsToken`: it renews the token of the connection. `area`: the area that the request names.
   */
  admitRequest(
    connectionId: string,
    traceId: string | undefined,
    options?: { renewsToken?: boolean, area?: string | undefined }
  ): Promise<RefusedRequest | undefined>
  /**
   * Reports one attempt of a request to the platform, with the connection and the `traceId` of the
   * call that sent it.
   */
  upstream(event: HttpRequestEvent, connectionId: string | undefined, traceId?: string): void
}
