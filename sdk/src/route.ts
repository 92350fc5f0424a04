import type { TSchema } from '@sinclair/typebox'
import type { Context, Log } from './context.ts'
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

/** What a route's handler works with. */
export interface RouteHost<Client = unknown, Config = unknown, Credentials = unknown> {
  readonly platform: Readonly<Record<string, unknown>>
  readonly http: HttpClientFactory
  readonly log: Log
  readonly clock: { now (): Date }
  readonly signal: AbortSignal
  /** The connection that the path names; undefined on a route of the platform as a whole. */
  readonly connection: { client: Client, context: Context<Config, Credentials> } | undefined
}

/**
 * A route of the adapter, mounted under `/integrations/{platformType}`. The manifest must say `permissions.routes: true`.
 * One whose path starts with `/connections/:connectionId/` is served by the adapter version that the connection pins, every other by the
 * version that serves the platform by default. A thrown SDK error becomes a problem+json answer.
 */
export interface RouteDefinition<Client = unknown, Config = unknown, Credentials = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; `:name` is a parameter. */
  path: string
  /** `admin` wants the hub's token; `public` is open to everybody, for instance the callback of an authorisation. */
  auth: 'admin' | 'public'
  /** For people, in the OpenAPI document. */
  summary?: string
  /** Checked before the handler runs, and published in the OpenAPI document. Query and path values are texts: they are converted to the type their schema wants. */
  schema?: { params?: TSchema, query?: TSchema, body?: TSchema, response?: Readonly<Record<string, TSchema>> }
  handler (request: RouteRequest, host: RouteHost<Client, Config, Credentials>): Promise<RouteAnswer>
}
