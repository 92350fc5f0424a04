import type { Static, TSchema } from '@sinclair/typebox'
import type { Capabilities, CapabilityName } from './capabilities/capabilities.ts'
import type { Context, Log } from './context.ts'
import type { RouteDefinition } from './route.ts'
import type { FieldError, Offer, Order, Product, RefusedQuantity, StockLevel } from './schemas.ts'

/**
 * Version of the contract below. An adapter states the range it was written for in
 * `engines.linker`.
 */
export const contractVersion = '0.1.0'

/** Marks an adapter, so that the loader knows it by this tag whichever copy of the SDK made it. */
export const adapterTag = Symbol.for('linker.adapter')

/** What a connection test found beyond success. `warnings` are shown to the operator. */
export interface TestResult {
  message?: string
  warnings?: readonly string[]
}

/** What a job of the hub hands to an adapter's handler. */
export interface Job<Payload> {
  readonly id: string
  readonly type: string
  readonly payload: Payload
}

/**
 * What a job found out. The runtime stores it in one transaction with the end of the job and starts
 * what follows from it: new quantities are propagated to every linked offer.
 */
export interface JobOutcome {
  products?: readonly Product[]
  stock?: readonly StockLevel[]
  /**
   * Orders of this connection as they are now: a marketplace's are ingested, a shop's tell how far
   * orders of marketplaces are that the hub made there.
   */
  orders?: readonly Order[]
  /**
   * Offers of this connection as the marketplace shows them now: their state is taken over, and a
   * quantity that differs from what was written is written again. One that the hub does not know is
   * linked by its `reference`, or kept as unlinked.
   */
  offers?: readonly Offer[]
  /**
   * Quantities that the marketplace took and then refused: shown as problems of their offers while
   * they are the last ones written; nothing is written again before the stock changes or an
   * operator asks for it.
   */
  refusedQuantities?: readonly RefusedQuantity[]
  /** Shown as `result` of the job. Plain data. */
  result?: unknown
}

/**
 * A job type of this adapter. Its name starts with the adapter's platform
 * (`feedshop.stock.refresh`).
 */
export interface JobDefinition<Client, Config, Credentials, Payload extends TSchema = TSchema> {
  /** The payload is validated by it before `run` sees it; one that fails ends the job as dead. */
  payload: Payload
  run(client: Client, job: Job<Static<Payload>>, context: Context<Config, Credentials>): Promise<JobOutcome | undefined>
}

/**
 * A job that is made again and again, once per connection and slot of time whichever process is
 * first. Slots that were missed are one. The manifest must permit it: `permissions.schedules:
 * true`, and the job in `permissions.jobs`.
 */
export interface ScheduleDefinition {
  /** Unique in the hub; `^[a-z][a-z0-9-]{0,63}$`. */
  name: string
  /** Length of a slot: `30s`, `2m`, `6h`, `1d`. The operator may change it per connection. */
  every: string
  job: string
  payload?: Readonly<Record<string, unknown>>
}

/**
 * How a connection's config gets from an older form into the one of a newer version. Pure functions
 * of the config. When a connection moves, the ones that fit are applied one after the other, and
 * what they change is shown first.
 */
export interface ConfigMigration {
  /**
   * Whose config it takes: an adapter key, optionally with a SemVer range of versions:
   * `feedshop.api.v1`, `feedshop.api.v2@<2.3.0`.
   */
  from: string
  /** The version of this package whose form `up` makes. */
  to: string
  up(config: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** The way back. Without it the step is one-way and the operator must confirm it. */
  down?: (config: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

/**
 * What a platform has to be told so that its webhooks arrive. `callbackUrl` is an address of the
 * hub for this one connection.
 */
export interface WebhookInstallation {
  callbackUrl: string
  secret: string
}

/**
 * Where a body that a platform sends in its own form says what the hub has to know. Members are
 * JSON pointers (RFC 6901). The event id is a hash of the external id and of the `revision`
 * members, never of the time of arrival: a repeated delivery is one event. A body with
 * `schemaVersion` is in the hub's own form.
 */
export interface WebhookBodyForm {
  /** Type of every event in this form, `{category}.{action}`. */
  eventType: string
  objectType: string
  /** Where the object's external id stands; without one the delivery is answered 400. */
  externalId: string
  /**
   * What tells one state of the object from another. Of the members of an inner list the first that
   * is there counts; one that is missing counts as missing.
   */
  revision: readonly (string | readonly string[])[]
  /**
   * Where the time of the event stands, the first that is there; else it is the time of arrival.
   */
  occurredAt?: readonly string[]
}

/** What `checkConfig` is given: the platform as the operator configured it. */
export interface ConfigHost {
  readonly platform: Readonly<Record<string, unknown>>
}

/** What `init` is given: the platform as the operator configured it. */
export interface InitHost {
  readonly platform: Readonly<Record<string, unknown>>
  readonly log: Log
}

type CapabilityFactories<Client, Config, Credentials> =
  & {
    readonly [Name in CapabilityName]?: (client: Client, context: Context<Config, Credentials>) => Capabilities[Name]
  }
  & {
    readonly [vendorCapability: `${string}/${string}`]: (
      client: Client,
      context: Context<Config, Credentials>
    ) => object
  }

export interface AdapterDefinition<Config extends TSchema, Credentials extends TSchema, Client> {
  /**
   * Validates a connection's `config`. Members it does not know are kept and reported as warnings.
   * Mark secrets with `secret: true`.
   */
  config: Config
  /**
   * Validates the credentials. They are stored apart and never leave the hub. `Type.Null()` when
   * the platform needs none.
   */
  credentials: Credentials
  /**
   * Turns credentials into the one shape of the schema before they are validated, for instance a
   * bare key into an object.
   */
  normalizeCredentials?: (credentials: unknown) => unknown
  /**
   * Says what is wrong with a config that fits its schema and cannot be used all the same, for
   * instance an address that the operator's settings do not allow; pointers are into the config.
   * Called before a config is stored, by `config/validate` and before a move. It has 5 s, no
   * connection, and sends nothing.
   */
  checkConfig?: (config: Static<Config>, host: ConfigHost) => readonly FieldError[] | Promise<readonly FieldError[]>
  /**
   * Called once when this version is loaded, for instance to check the platform's settings. It has
   * 10 s; one that throws keeps the adapter from serving.
   */
  init?: (host: InitHost) => Promise<void> | void
  /**
   * Called once per connection and version of its config and credentials. Opens nothing that has to
   * be closed.
   */
  connect: (context: Context<Static<Config>, Static<Credentials>>) => Client | Promise<Client>
  /**
   * The connection test: one cheap call that proves address and credentials. Throws an SDK error
   * when it fails.
   */
  test?: (client: Client, context: Context<Static<Config>, Static<Credentials>>) => Promise<TestResult | undefined>
  /** A capability that is absent is not supported; so is a method that is absent. */
  capabilities: CapabilityFactories<Client, Static<Config>, Static<Credentials>>
  /**
   * How webhooks of this platform are authenticated by the hub, and which job each event type
   * starts.
   */
  webhooks?: {
    /**
     * Makes the platform send its webhooks to `callbackUrl`, with `secret` as the hub expects it
     * back. Called when the operator installs them, each time with a new secret; the one before
     * stays valid for a day. What is registered already is replaced. Absent: the operator sets
     * webhooks up on the platform.
     */
    install?: (
      client: Client,
      installation: WebhookInstallation,
      context: Context<Static<Config>, Static<Credentials>>
    ) => Promise<{ warning?: string } | undefined>,
    /**
     * How a body is read that is not in the hub's own form. Declared, not coded: deliveries are
     * taken while the adapter is not there.
     */
    body?: WebhookBodyForm,
    scheme: 'hmac' | 'bearer',
    /** Event type → job type. Absent: the four of the specification (section 6.1). */
    events?: Readonly<Record<string, string>>,
    /**
     * The platform gives changes of one object within a window of this length one event, and drops
     * what comes after the first. So the hub reads the stock of an object once more after the
     * window of its event has ended. Windows begin at multiples of their length. Absent: every
     * change has an event.
     */
    windowMs?: number
  }
  /**
   * `visibleAfterMs`: how long the platform may show an offer as it was before a write; default 25
   * minutes. The hub compares what it wrote with what is shown only after that.
   */
  offers?: { visibleAfterMs?: number }
  /**
   * `keepsLineIds`: the platform may put one order in the place of others, for instance when they
   * are paid together. The new order has another id and the lines with the ids that they had, and
   * such an id names one purchase on the whole platform. The runtime knows the new order by its
   * lines: it reserves what the old ones did. Absent: an id of a line counts within its order only.
   */
  orders?: { keepsLineIds?: boolean }
  jobs?: Readonly<Record<string, JobDefinition<Client, Static<Config>, Static<Credentials>>>>
  schedules?: readonly ScheduleDefinition[]
  routes?: readonly RouteDefinition<Client, Static<Config>, Static<Credentials>>[]
  migrations?: readonly ConfigMigration[]
}

/** A definition with its tag, whose value is the version of the contract it was made with. */
export interface TaggedAdapter<Config extends TSchema, Credentials extends TSchema, Client>
  extends AdapterDefinition<Config, Credentials, Client>
{
  readonly [adapterTag]: string
}

/** An adapter as the loader sees it, its types erased. */
export type Adapter = TaggedAdapter<TSchema, TSchema, unknown>

/**
 * Defines an adapter; export the result as the default of the package. Nothing runs until the
 * runtime calls it. Identity (key, platform, display name, version) is not here: it stands in
 * package.json, member `linker`.
 */
export function defineAdapter<
  Config extends TSchema,
  Credentials extends TSchema,
  Client
> (definition: AdapterDefinition<Config, Credentials, Client>): TaggedAdapter<Config, Credentials, Client> {
  return Object.freeze({ ...definition, [adapterTag]: contractVersion })
}

/** Declares a job with the type of its payload taken from the schema. */
export function defineJob<
  Payload extends TSchema,
  Client,
  Config,
  Credentials
> (definition: JobDefinition<Client, Config, Credentials, Payload>): JobDefinition<Client, Config, Credentials> {
  return definition as JobDefinition<Client, Config, Credentials>
}
