import type { HttpClientFactory } from './http/http.ts'

/**
 * Structured logger. Object first, constant text second. Every secret handed to the adapter is
 * replaced in what it writes. A line has at most 16 KiB: of a longer one the fields are left out.
 * Beyond 1 000 lines a minute of one adapter version they are left out, and a line says so.
 */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * Small values of this connection, kept by the hub. A value is JSON data of at most 64 KiB, a key a
 * text of at most 200 characters. Stored at once, also when the call fails later. All values of a
 * connection have at most 32 MiB together; `set` throws a `RejectedError` for what is beyond.
 */
export interface KeyValueStore {
  /** Undefined when there is none, or it has expired. */
  get(key: string): Promise<unknown>
  set(key: string, value: unknown, options?: { ttlSeconds?: number }): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Those whose keys start with `prefix`, in the byte order of their keys. Those that have expired
   * are left out.
   */
  list(options: ListOptions): Promise<{ key: string, value: unknown }[]>
}

export interface ListOptions {
  /** `''` for all. */
  prefix: string
  /** Only what comes beyond this key, in the order asked for. It need not be there any more. */
  after?: string
  /** 1 to 1 000, default 100. */
  limit?: number
  /** Default `ascending`. */
  order?: 'ascending' | 'descending'
}

/** Positions in the platform's feeds. */
export interface Cursors {
  /** The position that was committed last, or the one that this call has set. */
  get(name: string): Promise<string | undefined>
  /**
   * Committed together with the end of the call: a job that fails after it, or is killed, leaves
   * the old position. At most 65 536 characters.
   */
  set(name: string, value: string): void
  /**
   * All of this connection by name, as they are committed: what this call has set is not among
   * them.
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
   * Names the intent: the same job type and key of this connection never make a second job. It
   * carries the version of what changed. At most 1 000 characters.
   */
  key: string
  /**
   * Whole milliseconds before it may run, at most a day. Such a job is not coalesced with others.
   */
  delayMs?: number
}

export interface JobQueue {
  /**
   * Makes a job of this connection. It is stored together with the end of the call, so a call that
   * fails makes none. The type must be permitted by the manifest (`permissions.jobs`). At most 1
   * 000 jobs a call: the next one throws a `RejectedError`. A payload has at most 256 KiB as JSON.
   * Answers the job's id.
   */
  enqueue(
    jobType: string,
    payload: Readonly<Record<string, unknown>>,
    options: EnqueueOptions
  ): Promise<{ jobId: string }>
}

/**
 * What `oauth` needs of stored credentials: the token, and until when it is good. Everything else
 * in them is the adapter's.
 */
export interface OAuthCredentials {
  accessToken: string
  /** ISO 8601. */
  expiresAt: string
}

export interface OAuth<Credentials> {
  /**
   * A token that is good for at least another minute. When the stored one is not, or is `rejected`,
   * `refresh` is called with the stored credentials: by one caller at a time across all processes,
   * and what it answers is stored before anybody uses it.
   */
  accessToken(
    refresh: (stored: Credentials) => Promise<Credentials & OAuthCredentials>,
    options?: { rejected?: string }
  ): Promise<string>
}

export interface Locks {
  /**
   * Runs `action` while no other call of this connection holds the lock of that name, in any
   * process. Waits for it until the call's deadline; the lock lapses then, too. Taken again inside
   * the action it waits for itself.
   */
  run<Result>(name: string, action: () => Promise<Result>): Promise<Result>
}

/** Figures of the adapter in the hub's metrics. Names are `[a-z][a-z0-9_]{0,63}`, fifty at most. */
export interface Metrics {
  count(name: string, by?: number): void
  observe(name: string, value: number): void
}

/**
 * What the runtime gives to an adapter, per connection. There is no database, no environment and no
 * other connection in it.
 */
export interface Context<Config = unknown, Credentials = unknown> {
  readonly connection: { readonly id: string, readonly platformType: string }
  /** Validated by the adapter's own schema, frozen. */
  readonly config: Config
  /** Validated by the adapter's own schema, frozen. */
  readonly credentials: Credentials
  /**
   * What the operator configured for this platform as a whole (`platforms.<platformType>` in
   * linker.config.json): base URLs, owned hosts. Frozen, `{}` when absent.
   */
  readonly platform: Readonly<Record<string, unknown>>
  /**
   * The only way out: makes an HTTP client bound to one base URL, whose origin the manifest permits
   * (`permissions.http`).
   */
  readonly http: HttpClientFactory
  readonly log: Log
  readonly kv: KeyValueStore
  readonly cursor: Cursors
  readonly jobs: JobQueue
  readonly oauth: OAuth<Credentials>
  readonly locks: Locks
  readonly metrics: Metrics
  readonly clock: { now(): Date }
  /**
   * Aborted when the current call passes its deadline or the hub stops. Read it inside a call, not
   * in `connect`.
   */
  readonly signal: AbortSignal
  /**
   * When the current call is broken off; undefined for one without a deadline. Read it inside a
   * call.
   */
  readonly deadline: Date | undefined
}
