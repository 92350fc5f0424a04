import { Type, type Static } from '@sinclair/typebox'

/** The one grammar of a platform name, in manifests, connections and webhook addresses. */
export const platformTypePattern = '^[a-z][a-z0-9-]{0,31}$'

/** `<platform>.<api>.v<major>`: the contract with stored connections. */
export const adapterKeyPattern = '^[a-z][a-z0-9-]{0,31}\\.[a-z][a-z0-9-]{0,31}\\.v[1-9][0-9]{0,3}$'

/**
 * The member `linker` of an adapter's package.json. The loader reads it before any code runs, so a package can be listed,
 * refused or named in an error without importing it. The version is that of the package.
 */
export const Manifest = Type.Object({
  adapterKey: Type.String({ pattern: adapterKeyPattern }),
  platformType: Type.String({ pattern: platformTypePattern }),
  displayName: Type.String({ minLength: 1, maxLength: 100 }),
  /** Must equal what the code implements, in both directions. `vendor/Name` is a capability of a third party. */
  capabilities: Type.Array(Type.String({ pattern: '^([a-z][a-z0-9-]{0,31}/)?[A-Z][A-Za-z0-9]{0,63}$' }), { uniqueItems: true }),
  permissions: Type.Optional(Type.Object({
    http: Type.Optional(Type.Array(Type.String())),
    routes: Type.Optional(Type.Boolean()),
    jobs: Type.Optional(Type.Array(Type.String())),
    schedules: Type.Optional(Type.Boolean())
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type Manifest = Static<typeof Manifest>
