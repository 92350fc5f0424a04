import type { HttpClientFactory } from './http/http.ts'

/**
 * Structured logger. Object first, constant text second. The hub replaces every secret of the
 * adapter in its lines. A line has at most 16 KiB; the hub leaves out the fields of a longer one.
 * Beyond 1 000 lines a minute per adapter version, the hub leaves lines out and writes one line
 * that says so.
 */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * Small values of this connection, kept by the hub. A value is JSON data of at most 64 KiB, a key a
 * text of at most 200 characters. The hub stores a value at once, even when the call fails later.
 * All values of a connection have at most 32 MiB together; beyond that, `set` throws a
 * `RejectedError`.
 */
export interface KeyValueStore {
  /** Returns undefined when there is no value or it has expired. */
  get(key: string): Promise<unknown>
  set(key: string, value: unknown, options?: { ttlSeconds?: number }): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Lists the values whose keys start with `prefix`, in the byte order of their keys. Leaves out
   * expired values.
   */
  list(options: ListOptions): Promise<{ key: string, value: unknown }[]>
}

export interface ListOptions {
  /** `''` for all. */
  prefix: string
  /** Lists only keys after this one, in the order asked for. The key need not exist any more. */
  after?: string
  /** 1 to 1 000, default 100. */
  limit?: number
  /** Default `ascending`. */
  order?: 'ascending' | 'descending'
}

/** Positions in the platform's feeds. */
export interface Cursors {
  /** Returns the position committed last, or the one that this call has set. */
  get(name: string): Promise<string | undefined>
  /**
   * Sets a position. The hub commits it together with the end of the call: a job that fails or is
   * killed after `set` leaves the old position. At most 65 536 characters.
   */
  set(name: string, value: string): void
  /**
   * Lists all committed positions of this connection by name, without the ones that this call has
   * set.
   */
  list(): Promise<CommittedCursor[]>
}

export interface CommittedCursor {
  name: string
  value: string
  /** ISO 8601. */
  updatedAt: string
}

export interface EnqueueOptions {
  /**
   * Names the intent: the same job type and key of this connection never make a second job. Put the
   * version of the changed object into it. At most 1 000 characters.
   */
  key: string
  /**
   * Whole milliseconds before the job may run, at most a day. The hub does not coalesce a delayed
   * job with others.
   */
  delayMs?: number
}

export interface JobQueue {
  /**
   * Makes a job of this connection and returns its id. The hub stores it together with the end of
   * the call, so a call that fails makes none. The manifest must permit the type
   * (`permissions.jobs`). A call makes at most 1 000 jobs; the next one throws a `RejectedError`. A
   * payload has at most 256 KiB as JSON.
   */
  enqueue(
    jobType: string,
    payload: Readonly<Record<string, unknown>>,
    options: EnqueueOptions
  ): Promise<{ jobId: string }>
}

/**
 * The members of stored credentials that `oauth` needs: the token and its expiry. The adapter
 * defines all others.
 */
export interface OAuthCredentials {
  accessToken: string
  /** ISO 8601. */
  expiresAt: string
}

export interface OAuth<Credentials> {
  /**
   * Returns a token that is valid for at least another minute. When the stored one is not, or is
   * `rejected`, it calls `refresh` with the stored credentials. One caller at a time refreshes
   * across all processes, and the hub stores the new credentials before anybody uses them.
   */
  accessToken(
    refresh: (stored: Credentials) => Promise<Credentials & OAuthCredentials>,
    options?: { rejected?: string }
  ): Promise<string>
}

export interface Locks {
  /**
   * Runs `action` while no other call of this connection holds the lock of that name, in any
   * process. Waits for the lock until the call's deadline; the lock also lapses then. An action
   * that takes the same lock again waits for itself.
   */
  run<Result>(name: string, action: () => Promise<Result>): Promise<Result>
}

/** The name of a capability of a third party: `acme/Labels`. */
export type VendorCapabilityName = `${string}/${string}`

/**
 * A capability as its caller sees it: every method answers a promise, and its arguments and answer
 * are copies. A method that the called adapter lacks rejects with a `ConfigurationError`.
 */
export type CalledCapability<Capability> = {
  readonly [
    Method in keyof Capability as NonNullable<Capability[Method]> extends (...args: never[]) => unknown ? Method : never
  ]-?: NonNullable<Capability[Method]> extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

/** The adapter's figures in the hub's metrics. Names are `[a-z][a-z0-9_]{0,63}`, fifty at most. */
export interface Metrics {
  count(name: string, by?: number): void
  observe(name: string, value: number): void
}

/**
 * Everything that the runtime gives to an adapter, per connection. It contains no database, no
 * environment and no other connection.
 */
export interface Context<Config = unknown, Credentials = unknown> {
  readonly connection: { readonly id: string, readonly platformType: string }
  /** Validated by the adapter's own schema, frozen. */
  readonly config: Config
  /** Validated by the adapter's own schema, frozen. */
  readonly credentials: Credentials
  /**
   * The operator's settings for this platform as a whole (`platforms.<platformType>` in
   * linker.config.json): base URLs, owned hosts. Frozen, `{}` when absent.
   */
  readonly platform: Readonly<Record<string, unknown>>
  /**
   * The only way to send requests: makes an HTTP client for one base URL. The manifest must permit
   * its origin (`permissions.http`).
   */
  readonly http: HttpClientFactory
  readonly log: Log
  readonly kv: KeyValueStore
  readonly cursor: Cursors
  readonly jobs: JobQueue
  /**
   * Returns a capability of a third party, to be called during the current call:
   * `context.capability<Labels>('acme/Labels', { connectionId })`. Without `connectionId` it is the
   * adapter's own capability, on this connection.
   *
   * The manifest must name the capability (`permissions.capabilities`), and a member of the config
   * that its schema marks with `connection: true` must be the id of the other connection: the
   * operator decides who is called, and an adapter cannot set such a member. An own capability on
   * this connection needs neither. Otherwise it throws a `ConfigurationError`.
   *
   * The called method has the signal and the deadline of the current call, and sends nothing in a
   * dry run. The hub stores its jobs and cursors together with the end of the current call. Its
   * errors are those of the SDK. An error with the code `LNK_CAPABILITY_UNAVAILABLE` means that the
   * connection cannot be used now: a job that fails with it waits and uses no attempt.
   *
   * A call makes at most 100 such calls, and they may go three levels deep. Await each of them: the
   * hub aborts those that are left when the current call ends.
   */
  capability<Capability extends object>(
    name: VendorCapabilityName,
    options?: { connectionId?: string }
  ): CalledCapability<Capability>
  readonly oauth: OAuth<Credentials>
  readonly locks: Locks
  readonly metrics: Metrics
  readonly clock: { now(): Date }
  /**
   * Aborts when the current call passes its deadline or the hub stops. Read it inside a call, not
   * in `connect`.
   */
  readonly signal: AbortSignal
  /**
   * The time at which the hub aborts the current call; undefined for a call without a deadline.
   * Read it inside a call.
   */
  readonly deadline: Date | undefined
}
