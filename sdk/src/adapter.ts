import type { Static, TSchema } from '@sinclair/typebox'
import type { Capabilities, CapabilityName } from './capabilities/capabilities.ts'
import type { FormerOfferManager, OfferManager } from './capabilities/offer-manager.ts'
import type { Context, Log } from './context.ts'
import type { RouteDefinition } from './route.ts'
import type { Account } from './schemas/account.ts'
import type { Offer, RefusedQuantity } from './schemas/offer.ts'
import type { Order } from './schemas/order.ts'
import type { Product, StockLevel } from './schemas/product.ts'
import type { FieldError } from './schemas/values.ts'
import type {
  WebhookAccepted,
  WebhookAuthentication,
  WebhookBodyForm,
  WebhookChallenge,
  WebhookInstallation,
  WebhookSource
} from './webhooks.ts'

/**
 * The version of this contract. An adapter states the range that it was written for in
 * `engines.linker`.
 */
export const contractVersion = '0.1.0'

/**
 * Marks an adapter. The loader recognises an adapter by this tag, whichever copy of the SDK made
 * it.
 */
export const adapterTag = Symbol.for('linker.adapter')

/** The details of a connection test that succeeded. The hub shows `warnings` to the operator. */
export interface TestResult {
  message?: string
  warnings?: readonly string[]
}

/** The job that the hub hands to an adapter's handler. */
export interface Job<Payload> {
  readonly id: string
  readonly type: string
  readonly payload: Payload
}

/**
 * The findings of a job. The runtime stores them in one transaction with the end of the job, then
 * starts the follow-up work: it propagates new quantities to every linked offer.
 */
export interface JobOutcome {
  products?: readonly Product[]
  stock?: readonly StockLevel[]
  /**
   * The current state of orders of this connection. The runtime ingests a marketplace's orders. A
   * shop's orders show the progress of marketplace orders that the hub created in the shop.
   */
  orders?: readonly Order[]
  /**
   * Offers of this connection as the marketplace shows them now. The runtime takes over their state
   * and writes a quantity again when it differs from the one written before. It links an unknown
   * offer by its `reference`, or keeps it as unlinked.
   */
  offers?: readonly Offer[]
  /**
   * Quantities that the marketplace accepted at first and refused later. The job that wrote such a
   * quantity dies if it was the last one written, and the offer has a problem until a reading shows
   * the quantity of a later write. The hub writes the offer again when the stock changes or an
   * operator asks for it, else once an hour.
   */
  refusedQuantities?: readonly RefusedQuantity[]
  /**
   * `externalId` of offers that show an earlier quantity of the hub although a later one was taken.
   * All writes to them have ended. The hub writes their current quantity again.
   */
  overwrittenOffers?: readonly string[]
  /** The hub shows it as `result` of the job. Plain data. */
  result?: unknown
}

/**
 * A job type of this adapter. Its name starts with the adapter's platform
 * (`feedshop.stock.refresh`).
 */
export interface JobDefinition<Client, Config, Credentials, Payload extends TSchema = TSchema> {
  /**
   * The hub validates the payload before `run` sees it. An invalid payload ends the job as dead.
   */
  payload: Payload
  /**
   * The capabilities that the job serves. While the operator pauses one of them, the job waits.
   * Default: all capabilities of the adapter.
   */
  capabilities?: readonly string[]
  run(client: Client, job: Job<Static<Payload>>, context: Context<Config, Credentials>): Promise<JobOutcome | undefined>
}

/**
 * A job that the hub makes at regular intervals. One process makes it once per connection and slot
 * of time. Several missed slots give one job. The manifest must permit it: `permissions.schedules:
 * true`, and the job in `permissions.jobs`.
 */
export interface ScheduleDefinition {
  /** Unique in the hub; `^[a-z][a-z0-9-]{0,63}$`. */
  name: string
  /** The length of a slot: `30s`, `2m`, `6h`, `1d`. The operator may change it per connection. */
  every: string
  job: string
  payload?: Readonly<Record<string, unknown>>
}

/**
 * Converts a connection's config from an older form to the form of a newer version. Both functions
 * are pure functions of the config. When a connection moves, the hub applies the matching
 * migrations in order and shows the operator the changes first.
 */
export interface ConfigMigration {
  /**
   * The adapter whose config it converts: an adapter key, optionally with a SemVer range of
   * versions: `feedshop.api.v1`, `feedshop.api.v2@<2.3.0`.
   */
  from: string
  /** The version of this package whose config form `up` makes. */
  to: string
  up(config: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** The reverse step. Without it the migration is one-way and the operator must confirm it. */
  down?: (config: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

/** The argument of `checkConfig`: the platform as the operator configured it. */
export interface ConfigHost {
  readonly platform: Readonly<Record<string, unknown>>
}

/** The argument of `init`: the platform as the operator configured it. */
export interface InitHost {
  readonly platform: Readonly<Record<string, unknown>>
  readonly log: Log
}

/**
 * Accounts of this platform are authorised in a browser. The platform's default version begins the
 * authorisation at its POST route `path`, which has no parameter and `auth: 'admin'`.
 *
 * The body schema of the route is the form that the hub shows: an object whose members have a title
 * or description, with `secret: true` on secrets. Two members have a meaning:
 * - `connectionName`, a text, names the new connection.
 * - `connectionId`, an optional text, names the connection that is authorised again. Without this
 *   member, no connection can be authorised again.
 *
 * The answer 200 of the route has the texts `authorizationUrl`, which the account's owner opens in
 * a browser, and `state`. The authorisation ends at another route, which calls
 * `host.connections.create` or `replaceCredentials`.
 */
export interface AuthorisationDefinition {
  /** The path of the route, as `routes` has it. */
  path: string
}

/**
 * How many requests a platform accepts. In any time of `t` ≥ 1 s, the hub sends at most
 * `ratePerSecond * t + burst` requests of one connection, from all its processes together. A job
 * whose first request finds no place goes back into the queue and uses no attempt. Later requests
 * of a job wait in its run; when they do not fit into its time, the run fails and uses an attempt.
 */
export interface RequestBudget {
  /** Requests per second in the long run, from 0.001 to 10 000. It may be a fraction. */
  ratePerSecond: number
  /**
   * Requests that may come at once after an idle time, a whole number from 1 to 10 000. The hub
   * sends up to `ratePerSecond / 4` fewer, because requests may arrive late. With a burst below
   * `1 + ratePerSecond / 4`, it also sends up to a fifth fewer per second.
   */
  burst: number
}

/**
 * The functions that make the capabilities of a connection, once for each client that `connect`
 * returned. A name with a slash is a capability of a third party: `acme/Labels`.
 */
export type CapabilityFactories<Client, Config, Credentials> =
  & {
    readonly [Name in CapabilityName]?: (
      client: Client,
      context: Context<Config, Credentials>
    ) => Name extends 'OfferManager' ? OfferManager | FormerOfferManager : Capabilities[Name]
  }
  & {
    readonly [vendorCapability: `${string}/${string}`]: (
      client: Client,
      context: Context<Config, Credentials>
    ) => object
  }

/** Refuses members that are neither one of the six capabilities nor one of a vendor. */
export type OnlyCapabilities<Factories> = {
  readonly [Name in Exclude<keyof Factories, CapabilityName | `${string}/${string}`>]: never
}

/** The webhooks of a platform: how the hub authenticates and reads them, and what they start. */
export type WebhooksDefinition<Client, Config, Credentials> = WebhookAuthentication & {
  /**
   * Makes the platform send its webhooks to `callbackUrl`, signed or sent with `secret`. The hub
   * calls it when the operator installs webhooks, each time with a new secret; the previous secret
   * stays valid for a day. It must replace an existing registration. If absent, the operator sets
   * up webhooks on the platform.
   */
  install?: (
    client: Client,
    installation: WebhookInstallation,
    context: Context<Config, Credentials>
  ) => Promise<{ warning?: string } | undefined>,
  /**
   * Describes a body that is not in the hub's own form. It is data, not code: the hub accepts
   * deliveries even while the adapter is not loaded.
   */
  body?: WebhookBodyForm,
  /**
   * Where the platform's own deliveries hold their events: in headers, the query or the body. Use
   * it in place of `body`.
   */
  source?: WebhookSource,
  /** The requests by which the platform checks the address, and their answers; 10 at most. */
  challenges?: readonly WebhookChallenge[],
  /** The answer to an accepted delivery, if the platform takes no 202 without a body. */
  accepted?: WebhookAccepted,
  /** Event type → job type. Default: the four of the specification (section 6.1). */
  events?: Readonly<Record<string, string>>,
  /**
   * The platform sends one event for all changes of one object within a window of this length, and
   * drops later ones. The hub therefore reads the product or the stock again after the window has
   * ended. Windows begin at multiples of their length. If absent, the platform sends an event for
   * every change.
   */
  windowMs?: number
}

/** The job types of an adapter. */
export type JobDefinitions<Client, Config, Credentials> = Readonly<
  Record<string, JobDefinition<Client, Config, Credentials>>
>

/**
 * `Factories` and `Jobs` keep what the adapter declares: the testing kit types its calls by them.
 */
export interface AdapterDefinition<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories = CapabilityFactories<Client, Static<Config>, Static<Credentials>>,
  Jobs = JobDefinitions<Client, Static<Config>, Static<Credentials>>
> {
  /**
   * Validates a connection's `config`. The hub keeps unknown members and reports them as warnings.
   * Mark secrets with `secret: true`, and members that are ids of connections whose capabilities
   * the adapter calls with `connection: true`. A member at the top may have an `initial` value: the
   * hub writes it into the config of a new connection that leaves the member out. Connections that
   * exist keep the `default`, so a later version can change what new connections begin with.
   */
  config: Config
  /**
   * Validates the credentials. The hub stores them separately and never shows them. Use
   * `Type.Null()` when the platform needs none.
   */
  credentials: Credentials
  /**
   * Converts credentials to the shape of the schema before the hub validates them, for instance a
   * bare key to an object.
   */
  normalizeCredentials?: (credentials: unknown) => unknown
  /**
   * Reports problems of a config that passes its schema but cannot be used, for instance an address
   * that the operator's settings do not allow. Pointers lead into the config. The hub calls it
   * before it stores a config, for `config/validate` and before a move. It has 5 s and no
   * connection, and must send no request.
   */
  checkConfig?: (config: Static<Config>, host: ConfigHost) => readonly FieldError[] | Promise<readonly FieldError[]>
  /**
   * The hub calls it once when it loads this version, for instance to check the platform's
   * settings. It has 10 s. If it throws, the adapter does not serve.
   */
  init?: (host: InitHost) => Promise<void> | void
  /**
   * The hub calls it once per connection and version of its config and credentials. It must not
   * open anything that has to be closed.
   */
  connect: (context: Context<Static<Config>, Static<Credentials>>) => Client | Promise<Client>
  /**
   * The connection test: one cheap call that proves that address and credentials work. Throws an
   * SDK error when it fails. The hub also calls it for settings that are not stored yet, and then
   * drops everything that the adapter stores during the call.
   */
  test?: (client: Client, context: Context<Static<Config>, Static<Credentials>>) => Promise<TestResult | undefined>
  /**
   * Says which account of the platform the connection opens. The hub asks when a connection is
   * created, tested or authorised, and before it ingests orders of a connection whose account it
   * does not know. It must only read.
   *
   * The hub stores the id with the connection: as a keyed hash, and without the name, when
   * `isPersonal`. It knows an order by platform, account and external id, so it refuses a second
   * connection to the same account, and new credentials of another account.
   *
   * The id must be that of the account. An id that changes with the login or e-mail, or that
   * differs from key to key, makes every order a new one. Use the platform's own id of the seller;
   * for a shop without one, use its address in one form and its shop id. The hub refuses an id that
   * contains a secret of the connection. Undefined: the platform has no accounts, so the hub cannot
   * tell that two connections read the same orders.
   */
  account: (client: Client, context: Context<Static<Config>, Static<Credentials>>) => Promise<Account | undefined>
  /** An adapter supports only the capabilities and methods that are present. */
  capabilities: Factories
  /**
   * Says how the hub authenticates webhooks of this platform and which job each event type starts.
   */
  webhooks?: WebhooksDefinition<Client, Static<Config>, Static<Credentials>>
  /**
   * The quota that the platform documents. The hub limits each connection by itself. The operator
   * may lower it for a connection, and the hub sends less while the platform answers 429. If
   * absent, the hub sends as fast as the jobs need, until the platform answers 429.
   */
  budget?: RequestBudget
  /**
   * `visibleAfterMs`: how long the platform may show an offer in its state before a write; default
   * 25 minutes. The hub waits this long before it compares its own write with the offer shown.
   */
  offers?: { visibleAfterMs?: number }
  /**
   * `keepsLineIds`: the platform may replace orders by one new order, for instance when the buyer
   * pays them together. The new order has another id, but its lines keep their ids, and a line id
   * names one purchase on the whole platform. The runtime recognises the new order by its lines and
   * takes over the reservations of the old ones. If absent, a line id is unique within its order
   * only.
   */
  orders?: { keepsLineIds?: boolean }
  jobs?: Jobs
  schedules?: readonly ScheduleDefinition[]
  routes?: readonly RouteDefinition<Client, Static<Config>, Static<Credentials>>[]
  /**
   * Says which route begins the authorisation of an account. The hub shows the route and its form
   * in `GET /adapters`, and does not load an adapter without such a route. If absent, the operator
   * enters the credentials.
   */
  authorisation?: AuthorisationDefinition
  migrations?: readonly ConfigMigration[]
}

/**
 * A definition with its tag. The value of the tag is the contract version that the definition was
 * made with.
 */
export interface TaggedAdapter<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories = CapabilityFactories<Client, Static<Config>, Static<Credentials>>,
  Jobs = JobDefinitions<Client, Static<Config>, Static<Credentials>>
> extends AdapterDefinition<Config, Credentials, Client, Factories, Jobs> {
  readonly [adapterTag]: string
}

/**
 * An adapter as the loader sees it, its types erased. It may have been made by a contract without
 * `account`.
 */
export type Adapter =
  & Omit<TaggedAdapter<TSchema, TSchema, unknown>, 'account'>
  & Partial<Pick<TaggedAdapter<TSchema, TSchema, unknown>, 'account'>>

/**
 * Defines an adapter; export the result as the default of the package. Nothing runs until the
 * runtime calls it. Declare the identity (key, platform, display name, version) in package.json,
 * member `linker`, not here.
 */
export function defineAdapter<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories extends CapabilityFactories<Client, Static<Config>, Static<Credentials>>,
  Jobs extends JobDefinitions<Client, Static<Config>, Static<Credentials>>
> (definition: AdapterDefinition<Config, Credentials, Client, Factories, Jobs> & {
  capabilities: OnlyCapabilities<Factories>
}): TaggedAdapter<Config, Credentials, Client, Factories, Jobs> {
  return Object.freeze({ ...definition, [adapterTag]: contractVersion })
}

/** Declares a job and infers the type of its payload from the schema. */
export function defineJob<
  Payload extends TSchema,
  Client,
  Config,
  Credentials
> (definition: JobDefinition<Client, Config, Credentials, Payload>): JobDefinition<
  Client,
  Config,
  Credentials,
  Payload
> {
  return definition
}
