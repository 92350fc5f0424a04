import type { TSchema } from '@sinclair/typebox'
import type { Context, KeyValueStore, Log } from './context.ts'
import type { HttpClientFactory } from './http/http.ts'

/**
 * A request to a route of an adapter. Plain data; the hub has checked its parts against the route's
 * schema.
 */
export interface RouteRequest {
  method: string
  /** Texts, converted to the types of the schema. */
  params: Readonly<Record<string, unknown>>
  /** A repeated name has its values in an array. */
  query: Readonly<Record<string, unknown>>
  /** Lower-case names, without `authorization` and `cookie`. */
  headers: Readonly<Record<string, string>>
  /** Parsed JSON, undefined without a body. */
  body: unknown
  /** The bytes of the body as they arrived, on a route with `rawBody`; empty without a body. */
  rawBody?: Uint8Array
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
   * Keeps `data` (JSON, encrypted like credentials, up to 64 KiB) for `ttlSeconds`. Returns the
   * secret text that names it: 256 random bits, base64url. The hub stores only its hash.
   */
  begin(data: unknown, options: { ttlSeconds: number }): Promise<string>
  /**
   * Takes the data kept under `state`, once. Of several callers at the same time, one runs `work`;
   * the others, and all callers of the next five minutes, get its answer (JSON, up to 64 KiB). The
   * hub deletes `data` before `work` runs. Returns undefined when the state is unknown, expired, of
   * another platform, or its work has failed; only the caller that ran `work` gets its error.
   *
   * `proof` is what the caller has besides the state, for instance the code of an authorisation. A
   * state that was spent with one proof answers undefined to every other.
   */
  complete<Answer>(
    state: string,
    work: (data: unknown) => Promise<Answer>,
    options?: { proof?: string | undefined }
  ): Promise<Answer | undefined>
}

/** A connection as a route of its platform sees it. */
export interface PlatformConnection<Config = unknown> {
  id: string
  name: string
  status: 'active' | 'disabled' | 'error'
  config: Config
  /** The values of this connection. */
  kv: KeyValueStore
}

export interface NewConnection<Config = unknown, Credentials = unknown> {
  name: string
  config: Config
  credentials: Credentials
  /**
   * A part of the reference of the credentials, between the platform and the time: letters and
   * digits, 32 at most.
   */
  credentialsLabel?: string
  /** The initial values of the connection's `kv`. */
  values?: Readonly<Record<string, unknown>>
}

/**
 * Connections of this adapter's platform. The manifest must say `permissions.connections: true`.
 */
export interface PlatformConnections<Config = unknown, Credentials = unknown> {
  /** Returns undefined when this platform has no connection with that id. */
  get(connectionId: string): Promise<PlatformConnection<Config> | undefined>
  /**
   * Creates an active connection with its credentials and values, served by this adapter version.
   * The same `key` never makes two connections: a repeat returns the first. Members of the config
   * with a default may be absent; the types do not know which ones, so the schema decides.
   */
  create(
    connection: NewConnection<Partial<Config>, Credentials>,
    options: { key: string }
  ): Promise<{ id: string, name: string }>
  /**
   * Replaces the credentials of a connection, writes `values`, and makes the connection active when
   * it was in `error`. Returns undefined when there is no such connection.
   */
  replaceCredentials(
    connectionId: string,
    credentials: Credentials,
    values?: Readonly<Record<string, unknown>>
  ): Promise<{ id: string, name: string } | undefined>
}

/** Everything that the hub gives to a route's handler. */
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
  /** The connection in the path; undefined on a route of the platform as a whole. */
  readonly connection: { client: Client, context: Context<Config, Credentials> } | undefined
  /**
   * The reason why the connection in the path cannot be used, on a route with `servesUnusable`;
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
 * `permissions.routes: true`. The adapter version that a connection pins serves the paths that
 * start with `/connections/:connectionId/`. The platform's default version serves all others. A
 * thrown SDK error becomes a problem+json answer.
 */
export interface RouteDefinition<Client = unknown, Config = unknown, Credentials = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; `:name` is a parameter. */
  path: string
  /**
   * The scope that the token of the caller needs. A `read` route changes nothing and shows no
   * secret. An `operate` route runs or repeats work. An `admin` route changes how the hub reaches
   * the platform. A `public` route needs no token, for instance the callback of an authorisation.
   */
  auth: 'read' | 'operate' | 'admin' | 'public'
  /** For people, in the OpenAPI document. */
  summary?: string
  /**
   * Calls the handler also for an existing connection that cannot be used because it is disabled,
   * paused or in error, or its credentials are gone. The handler finds the reason in
   * `host.problem`. If absent, the hub answers such a request itself.
   */
  servesUnusable?: boolean
  /**
   * The handler only reads what the hub keeps, for instance values and cursors. So the hub calls it
   * also while the connection is paused, and its HTTP client sends no request.
   */
  readsHubOnly?: boolean
  /**
   * Gives the handler the bytes of the body besides the parsed JSON, for instance to verify a
   * signature over them. As on every route, a body is JSON of at most 1 048 576 bytes: the hub
   * answers 415 and 413 to others.
   */
  rawBody?: boolean
  /**
   * The hub checks requests against it before the handler runs, and publishes it in the OpenAPI
   * document. Query and path values are texts; the hub converts them to the type of their schema.
   */
  schema?: { params?: TSchema, query?: TSchema, body?: TSchema, response?: Readonly<Record<string, TSchema>> }
  handler: (request: RouteRequest, host: RouteHost<Client, Config, Credentials>) => Promise<RouteAnswer>
}
