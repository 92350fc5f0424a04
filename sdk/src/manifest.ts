import { Type, type Static } from '@sinclair/typebox'
import { platformTypePattern } from './platform-type.ts'
import { printablePattern } from './printable.ts'

/** `<platform>.<api>.v<major>`: the contract with stored connections. */
export const adapterKeyPattern = '^[a-z][a-z0-9-]{0,31}\\.[a-z][a-z0-9-]{0,31}\\.v[1-9][0-9]{0,3}$'

const vendorCapabilityPattern = '^[a-z][a-z0-9-]{0,31}/[A-Z][A-Za-z0-9]{0,63}$'

export const Permissions = Type.Object({
  /**
   * Origins that the adapter may send requests to: `https://api.example.com`,
   * `https://*.example.com`, or a setting, `${config.baseUrl}` or `${platform.production.baseUrl}`.
   */
  http: Type.Optional(Type.Array(Type.String({ minLength: 1, pattern: printablePattern }))),
  routes: Type.Optional(Type.Boolean()),
  /** Lets the adapter's routes read, create and renew connections of its platform. */
  connections: Type.Optional(Type.Boolean()),
  /**
   * Job types that the adapter may define, schedule or enqueue: `feedshop.*`,
   * `marketplace.orders.poll`.
   */
  jobs: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(\\.\\*)?$' }))),
  schedules: Type.Optional(Type.Boolean()),
  /**
   * Capabilities of third parties that the adapter may call on other connections: `acme/Labels`.
   * The six capabilities of the hub are not among them.
   */
  capabilities: Type.Optional(Type.Array(Type.String({ pattern: vendorCapabilityPattern })))
}, { additionalProperties: false })
export type Permissions = Static<typeof Permissions>

/** An address with a host and without a user, which could look like another host. */
const linkPattern = '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][!-~]*)?$'
const Link = Type.String({ maxLength: 500, pattern: linkPattern })

export const linkNames = ['help', 'keys', 'status', 'register'] as const

/** Pages for operators, which begin with https:// and have at most 500 characters. */
export const Links = Type.Object({
  /** How to set up the adapter. */
  help: Type.Optional(Link),
  /** Where the operator gets the credentials. */
  keys: Type.Optional(Link),
  /** Whether the platform works now. */
  status: Type.Optional(Link),
  /** Where an account of the platform is opened. */
  register: Type.Optional(Link)
}, { additionalProperties: false })
export type Links = Static<typeof Links>

/**
 * The member `linker` of an adapter's package.json. The loader reads it before any code runs, so
 * the hub can list, refuse or name a package without importing it. The version is the package's
 * own.
 */
export const Manifest = Type.Object({
  adapterKey: Type.String({ pattern: adapterKeyPattern }),
  platformType: Type.String({ pattern: platformTypePattern }),
  /**
   * The hub shows it to people, so it may not contain control characters: a terminal would obey
   * them.
   */
  displayName: Type.String({ minLength: 1, maxLength: 100, pattern: printablePattern }),
  /**
   * Must equal the capabilities of the code, in both directions. `vendor/Name` is a capability of a
   * third party.
   */
  capabilities: Type.Array(Type.String({ pattern: '^([a-z][a-z0-9-]{0,31}/)?[A-Z][A-Za-z0-9]{0,63}$' }), {
    uniqueItems: true
  }),
  /**
   * The adapter's permissions. Everything else is forbidden. The operator must confirm a version
   * that asks for more than the one before.
   */
  permissions: Type.Optional(Permissions),
  /**
   * Says that nobody should use this version any more, and what to use in its place: `use
   * @acme/adapter-feedshop-v2`. The adapter serves as before. The hub shows the text to operators.
   */
  deprecated: Type.Optional(Type.String({ minLength: 1, maxLength: 300, pattern: printablePattern })),
  /** The hub leaves out wrong links with a warning. */
  links: Type.Optional(Links),
  /**
   * The path of an SVG or PNG file in the package, square and of at most 16 KiB. The hub leaves out
   * an icon that it cannot show, with a warning.
   */
  icon: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: printablePattern }))
}, { additionalProperties: false })
export type Manifest = Static<typeof Manifest>
