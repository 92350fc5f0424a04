import type { HttpClientFactory } from './http/http.ts'

/** Structured logger. Object first, constant text second. Every secret handed to the adapter is replaced in what it writes. */
export interface Log {
  debug (fields: object, message: string): void
  info (fields: object, message: string): void
  warn (fields: object, message: string): void
  error (fields: object, message: string): void
}

/** What the runtime gives to an adapter, per connection. There is no database, no environment and no other connection in it. */
export interface Context<Config = unknown, Credentials = unknown> {
  readonly connection: { readonly id: string, readonly platformType: string }
  /** Validated by the adapter's own schema, frozen. */
  readonly config: Config
  /** Validated by the adapter's own schema, frozen. */
  readonly credentials: Credentials
  /** What the operator configured for this platform as a whole (`platforms.<platformType>` in linker.config.json): base URLs, owned hosts. Frozen, `{}` when absent. */
  readonly platform: Readonly<Record<string, unknown>>
  /** The only way out: makes an HTTP client bound to one base URL. */
  readonly http: HttpClientFactory
  readonly log: Log
  readonly clock: { now (): Date }
  /** Aborted when the current call passes its deadline or the hub stops. Read it inside a call, not in `connect`. */
  readonly signal: AbortSignal
}
