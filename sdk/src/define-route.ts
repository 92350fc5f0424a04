import type { Static, TSchema } from '@sinclair/typebox'
import { connectionParameterOf } from './connection-path.ts'
import type { Context } from './context.ts'
import type { RouteAnswer, RouteDefinition, RouteHost, RouteRequest } from './route.ts'

export type RouteSchemas = NonNullable<RouteDefinition['schema']>

/** The schemas of a route that has none: its query is a record, its body unknown. */
export type NoSchemas = Record<never, never>

/** The names of the parameters in the path of a route: `'a' | 'b'` for `/x/:a/:b`. */
export type PathParameters<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Next}` ? Name | PathParameters<`/${Next}`> : Rest
  : never

/** The type of a value with this schema; `Default` without one. */
export type TypedOr<Schema, Default> = Schema extends TSchema ? Static<Schema> : Default

/**
 * A request whose parts have the types of the route's schemas. A path parameter without a schema is
 * a text.
 */
export interface TypedRouteRequest<Path extends string, Schema extends RouteSchemas>
  extends Omit<RouteRequest, 'params' | 'query' | 'body'>
{
  params:
    & Readonly<Omit<Record<PathParameters<Path>, string>, keyof TypedOr<Schema['params'], object>>>
    & TypedOr<Schema['params'], object>
  query: TypedOr<Schema['query'], RouteRequest['query']>
  body: TypedOr<Schema['body'], unknown>
}

/** Everything that the hub gives to the handler of a `connectionRoute`. */
export interface ConnectionRouteHost<Client = unknown, Config = unknown, Credentials = unknown>
  extends Omit<RouteHost<Client, Config, Credentials>, 'connection' | 'problem'>
{
  /** The connection in the path. */
  readonly connection: { client: Client, context: Context<Config, Credentials> }
}

/** Everything that the hub gives to the handler of a `platformRoute`. */
export interface PlatformRouteHost<Config = unknown, Credentials = unknown>
  extends Omit<RouteHost<unknown, Config, Credentials>, 'connection' | 'problem'>
{}

/** The members of a route that are the same for every helper. */
export type RouteTerms = Omit<RouteDefinition, 'path' | 'schema' | 'servesUnusable' | 'handler'>

export interface ConnectionRoute<
  Path extends string,
  Schema extends RouteSchemas,
  Client,
  Config,
  Credentials
> extends RouteTerms {
  /** Starts with `/connections/:connectionId/`. */
  path: Path
  schema?: Schema
  handler(
    request: TypedRouteRequest<Path, Schema>,
    host: ConnectionRouteHost<Client, Config, Credentials>
  ): Promise<RouteAnswer>
}

export interface PlatformRoute<
  Path extends string,
  Schema extends RouteSchemas,
  Config,
  Credentials
> extends RouteTerms {
  /** Does not start with `/connections/:connectionId/`. */
  path: Path
  schema?: Schema
  handler(
    request: TypedRouteRequest<Path, Schema>,
    host: PlatformRouteHost<Config, Credentials>
  ): Promise<RouteAnswer>
}

/**
 * Declares a route of one connection. Its handler always has the connection, and the parts of the
 * request have the types of the schemas. Name the client's type at the handler's second argument:
 * `ConnectionRouteHost<HttpClient>`. Throws a `TypeError` when the path does not start with
 * `/connections/:connectionId/`. For a route that also serves an unusable connection
 * (`servesUnusable`), write a `RouteDefinition`.
 */
export function connectionRoute<
  const Path extends `/connections/:connectionId/${string}`,
  Client,
  Config,
  Credentials,
  Schema extends RouteSchemas = NoSchemas
> (definition: ConnectionRoute<Path, Schema, Client, Config, Credentials>): RouteDefinition<
  Client,
  Config,
  Credentials
> {
  const { path } = definition
  if (connectionParameterOf(path) !== 'connectionId') {
    throw new TypeError(`connectionRoute: the path '${path}' must start with /connections/:connectionId/. ` +
      'Use platformRoute for a route of the platform as a whole')
  }
  // The hub has checked a request by the schemas when it calls the handler.
  const route: unknown = definition
  return route as RouteDefinition<Client, Config, Credentials>
}

/**
 * Declares a route of the platform as a whole, for instance the callback of an authorisation. The
 * platform's default version serves it, without a connection. Throws a `TypeError` when the path
 * starts with `/connections/:connectionId/`.
 */
export function platformRoute<
  const Path extends string,
  Config,
  Credentials,
  Schema extends RouteSchemas = NoSchemas
> (definition: PlatformRoute<Path, Schema, Config, Credentials>): RouteDefinition<unknown, Config, Credentials> {
  const { path } = definition
  if (connectionParameterOf(path) !== undefined) {
    throw new TypeError(`platformRoute: the hub serves '${path}' for one connection. Use connectionRoute`)
  }
  const route: unknown = definition
  return route as RouteDefinition<unknown, Config, Credentials>
}
