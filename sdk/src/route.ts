import type { TSchema } from '@sinclair/typebox'
import type { Context, KeyValueStore, Log } from './context.ts'
import type { HttpClientFactory } from './http/http.ts'

/** A request to a route of an adapter. Plain data; its parts passed the route's schema. */
export interface RouteRequest {
  method: string
  /** Texts, or what the schema makes of them. */
  params: Readonly<Record<string, unknown>>
  /** A name that is repeated has its values in an array. */
  query: Readonly<Record<string, unknown>>
  /** Lower-case names; `authorization` and `cookie` are left out. */
  headers: Readonly<Record<string, string>>
  /** Parsed JSON, undefined without a body. */
  body: unknown
  requestId: string
}

export interface RouteAnswer {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON; undefined sends no body. */
  body?: unknown
}

/**
 * Steps of one process that leaves the hub and comes back, for instance an authorisation in a
 * browser.
 */
export interface Flows {
  /**
   * Keeps `data` (JSON, encrypted like credentials, up to 64 KiB) for `ttlSeconds` and answers the
   * secret text that names it: 256 random bits, base64url. Only its hash is stored.
   */
  begin(data: unknown, options: { ttlSeconds: number }): Promise<string>
  /**
   * Takes what was kept under `state`, once: of callers at the same time one runs `work`, and its
   * answer (JSON, up to 64 KiB) is what the others and those of the next five minutes get. `data`
   * is deleted before `work` runs. Undefined when the state is unknown, expired, of another
   * platform, or its work has failed; a failure of `work` is thrown to its own caller.
   */
  complete<Answer>(state: string, work: (data: unknown) => Promise<Answer>): Promise<Answer | undefined>
}

/** A connection as a route of its platform sees it. */
export interface PlatformConnection<Config = unknown> {
  id: string
  name: string
  status: 'active' | 'disabled' | 'error'
  config: Config
  /** That of the connection. */
  kv: KeyValueStore
}

export interface NewConnection<Config = unknown, Credentials = unknown> {
  name: string
  config: Config
  credentials: Credentials
  /**
   * Stands in the reference of the credentials, between the platform and the time: letters and
   * digits, 32 at most.
   */
  credentialsLabel?: string
  /** The first values of its `kv`. */
  values?: Readonly<Record<string, unknown>>
}

/**
 * Connections of this adapter's platform. The manifest must say `permissions.connections: true`.
 */
export interface PlatformConnections<Config = unknown, Credentials = unknown> {
  /** Undefined when there is none of this platform under that id. */
  get(connectionId: string): Promise<PlatformConnection<Config> | undefined>
  /**
   * Creates an active connection served by this adapter version and, with it, its credentials and
   * values. The same `key` never makes two: it answers with the first.
   */
  create(
    connection: NewConnection<Config, Credentials>,
    options: { key: string }
  ): Promise<{ id: string, name: string }>
  /**
   * Replaces the credentials of an existing one, writes `values`, and makes it active when it was
   * in `error`. Undefined when there is none.
   */
  replaceCredentials(
    connectionId: string,
    credentials: Credentials,
    values?: Readonly<Record<string, unknown>>
  ): Promise<{ id: string, name: string } | undefined>
}

/** What a route's handler works with. */
export interface RouteHost<Client = unknown, Config = unknown, Credentials = unknown> {
  readonly platform: Readonly<Record<string, unknown>>
  readonly http: HttpClientFactory
  readonly log: Log
  readonly clock: { now(): Date }
  readonly signal: AbortSignal
  /** Steps of one process that leaves the hub and comes back. */
  readonly flows: Flows
  /**
   * Connections of this adapter's platform. The manifest must say `permissions.connections: true`.
   */
  readonly connections: PlatformConnections<Config, Credentials>
  /** The connection that the path names; undefined on a route of the platform as a whole. */
  readonly connection: { client: Client, context: Context<Config, Credentials> } | undefined
  /**
   * Why the connection that the path names cannot be used, on a route with `servesUnusable`;
   * `connection` is undefined then.
   */
  readonly problem: RouteProblem | undefined
}

/** `code` is one of the hub's (`LNK_CREDENTIALS_NOT_FOUND`). */
export interface RouteProblem {
  code: string
  message: string
}

/**
 * A route of the adapter, mounted under `/integrations/{platformType}`. The manifest must say
 * `permissions.routes: true`. One whose path starts with `/connections/:connectionId/` is served by
 * the adapter version that the connection pins, every other by the version that serves the platform
 * by default. A thrown SDK error becomes a problem+json answer.
 */
export interface RouteDefinition<Client = unknown, Config = unknown, Credentials = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; `:name` is a parameter. */
  path: string
  /**
   * `admin` wants the hub's token; `public` is open to everybody, for instance the callback of an
   * authorisation.
   */
  auth: 'admin' | 'public'
  /** For people, in the OpenAPI document. */
  summary?: string
  /**
   * Called also for a connection that is there and cannot be used: it is disabled, or its
   * credentials are gone. Its handler finds the reason in `host.problem`. Absent: the hub answers
   * such a request itself.
   */
  servesUnusable?: boolean
  /**
   * Checked before the handler runs, and published in the OpenAPI document. Query and path values
   * are texts: they are converted to the type their schema wants.
   */
  schema?: { params?: TSchema, query?: TSchema, body?: TSchema, response?: Readonly<Record<string, TSchema>> }
  handler(request: RouteRequest, host: RouteHost<Client, Config, Credentials>): Promise<RouteAnswer>
}
