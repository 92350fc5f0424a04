import { Type, type Static } from '@sinclair/typebox'
import { printablePattern } from './printable.ts'

/** The one grammar of a platform name, in manifests, connections and webhook addresses. */
export const platformTypePattern = '^[a-z][a-z0-9-]{0,31}$'

/** `<platform>.<api>.v<major>`: the contract with stored connections. */
export const adapterKeyPattern = '^[a-z][a-z0-9-]{0,31}\\.[a-z][a-z0-9-]{0,31}\\.v[1-9][0-9]{0,3}$'

export const Permissions = Type.Object({
  /**
   * Origins that it may send requests to: `https://api.example.com`, `https://*.example.com`, or a
   * setting, `${config.baseUrl}` or `${platform.production.baseUrl}`.
   */
  http: Type.Optional(Type.Array(Type.String({ minLength: 1, pattern: printablePattern }))),
  routes: Type.Optional(Type.Boolean()),
  /** Its routes may read, create and renew connections of its platform. */
  connections: Type.Optional(Type.Boolean()),
  /** Job types that it may have, schedule or enqueue: `feedshop.*`, `marketplace.orders.poll`. */
  jobs: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(\\.\\*)?$' }))),
  schedules: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type Permissions = Static<typeof Permissions>

/**
 * The member `linker` of an adapter's package.json. The loader reads it before any code runs, so a
 * package can be listed, refused or named in an error without importing it. The version is that of
 * the package.
 */
export const Manifest = Type.Object({
  adapterKey: Type.String({ pattern: adapterKeyPattern }),
  platformType: Type.String({ pattern: platformTypePattern }),
  /** Shown to people: control characters, which a terminal would obey, are refused. */
  displayName: Type.String({ minLength: 1, maxLength: 100, pattern: printablePattern }),
  /**
   * Must equal what the code implements, in both directions. `vendor/Name` is a capability of a
   * third party.
   */
  capabilities: Type.Array(Type.String({ pattern: '^([a-z][a-z0-9-]{0,31}/)?[A-Z][A-Za-z0-9]{0,63}$' }), {
    uniqueItems: true
  }),
  /**
   * What the adapter may do. What is absent it may not; a version that asks for more than the one
   * before is confirmed by the operator.
   */
  permissions: Type.Optional(Permissions)
}, { additionalProperties: false })
export type Manifest = Static<typeof Manifest>
