import { authorisationRoute, type DescribedVerification } from '@linker/sdk/host'
import { Type, type Static } from '@sinclair/typebox'
import type { AdapterPackage } from './discover.ts'
import type { FolderChange } from './folder-state.ts'
import { nameOf, stateOf, type AdapterRecord, type LoadedAdapter } from './load.ts'
import type { Registry } from './registry.ts'

export const AdapterView = Type.Object({
  packageName: Type.String(),
  adapterKey: Type.Union([Type.String(), Type.Null()]),
  platformType: Type.Union([Type.String(), Type.Null()]),
  supportedCapabilities: Type.Array(Type.String()),
  displayName: Type.Union([Type.String(), Type.Null()]),
  version: Type.Union([Type.String(), Type.Null()]),
  links: Type.Record(Type.String(), Type.String(), {
    description: 'Pages for operators, by `help`, `keys`, `status` and `register`. All begin with https://'
  }),
  icon: Type.Union([Type.String(), Type.Null()], { description: 'Where its icon is served; null: it has none' }),
  hasChangelog: Type.Boolean(),
  state: Type.String({ description: '`ready` and `degraded` adapters work; in other states `error` gives the reason' }),
  isolation: Type.Union([Type.Literal('inline'), Type.Literal('worker'), Type.Null()], {
    description: '`inline`: in the thread of the hub; `worker`: in its own thread'
  }),
  features: Type.Record(Type.String(), Type.Union([Type.Array(Type.String()), Type.Null()]), {
    description: 'Methods of each capability; null when only a client shows them'
  }),
  isDefault: Type.Boolean({ description: 'Connections of the platform that name no adapter get this one' }),
  permissions: Type.Record(Type.String(), Type.Unknown()),
  jobs: Type.Array(Type.String()),
  schedules: Type.Array(Type.String()),
  routes: Type.Array(Type.String()),
  webhooks: Type.Union([Type.String(), Type.Null()], {
    description: "How webhooks are authenticated: by the hub's own `hmac` or `bearer`, or in a way of the platform"
  }),
  budget: Type.Union([
    Type.Object({ ratePerSecond: Type.Number(), burst: Type.Integer() }),
    Type.Null()
  ], { description: 'Requests that it sends for one connection at most; null: it declares no limit' }),
  authorisation: Type.Union([
    Type.Object({
      path: Type.String({
        description: 'POST to it begins an authorisation. The default version serves it. The body takes `returnTo`, ' +
          'too: a path below /console/, to which the hub redirects the browser at the end'
      }),
      schema: Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON Schema of the body: the form to fill in. A secret has `secret: true`'
      })
    }),
    Type.Null()
  ], { description: 'How an account is authorised in a browser; null: an operator enters its credentials' }),
  conformance: Type.Union([
    Type.Object({
      level: Type.Union([Type.Integer(), Type.Null()], {
        description: '0 to 3; null when nobody knows, for the `reason`'
      }),
      suite: Type.Union([Type.String(), Type.Null()], { description: 'Version of the SDK whose suite ran' }),
      exempt: Type.Array(Type.String(), { description: 'Checks that fail for a reason that its author gave' }),
      reason: Type.Optional(Type.String())
    }),
    Type.Null()
  ], {
    description:
      'The level of the conformance suite that its author reports, for exactly the files that were loaded; ' +
      'null: its package has no report'
  }),
  usedBy: Type.Integer({ description: 'Connections that use this version, or would use it if it were ready' }),
  warning: Type.Optional(Type.String()),
  deprecated: Type.Optional(Type.String({
    description: 'Present when its author wants nobody to use this version any more: what to use in its place'
  })),
  changed: Type.Optional(Type.Object({ message: Type.String(), remedy: Type.String() }, {
    description: 'Present when the folder that linker.config.json names holds newer code than the hub serves'
  })),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }))
}, { $id: 'Adapter' })
export type AdapterView = Static<typeof AdapterView>

/** How many connections pin the same adapter. */
export interface Pinned {
  adapterKey: string
  adapterVersion: string | null
  count: number
}

/**
 * Counts the connections that each adapter (`key@version`) serves. A connection with an exact pin
 * counts for that version even when it does not serve.
 */
export function countUses (registry: Registry, pins: readonly Pinned[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { adapterKey, adapterVersion, count } of pins) {
    const serving = registry.find(adapterKey, adapterVersion)
    const name = serving === undefined ? `${adapterKey}@${adapterVersion ?? ''}` : nameOf(serving)
    uses.set(name, (uses.get(name) ?? 0) + count)
  }
  return uses
}

export function describeAdapter (
  registry: Registry,
  record: AdapterRecord,
  uses: ReadonlyMap<string, number>,
  changed?: FolderChange
): AdapterView {
  const { adapter, packageName, found } = record
  const { state, problem } = stateOf(record)
  const { adapterKey = null, platformType = null, displayName = null, permissions = {}, deprecated, links = {} } =
    found?.manifest ?? {}
  const identity = {
    packageName,
    adapterKey,
    platformType,
    displayName,
    version: found?.version ?? null,
    links: { ...links },
    icon: found?.icon === undefined ? null : iconAddressOf(found),
    hasChangelog: found?.hasChangelog ?? false,
    state,
    permissions: { ...permissions },
    conformance: record.tested ?? null,
    usedBy: found === undefined ? 0 : uses.get(nameOf(found)) ?? 0,
    warning: problem === undefined ? adapter?.warning ?? found?.warning : undefined,
    deprecated,
    changed,
    error: problem && { code: problem.code, message: problem.message }
  }
  if (adapter === undefined) {
    return {
      ...identity,
      supportedCapabilities: [],
      isolation: null,
      features: {},
      isDefault: false,
      jobs: [],
      schedules: [],
      routes: [],
      webhooks: null,
      budget: null,
      authorisation: null
    }
  }
  const { description } = adapter
  const defaultKey = registry.defaultKey(adapter.manifest.platformType)
  return {
    ...identity,
    supportedCapabilities: adapter.supportedCapabilities,
    isolation: adapter.carrier.isolation(),
    features: Object
      .fromEntries(Object.entries(description.capabilities).map(
        ([name, methods]) => [name, methods === null ? null : [...methods]]
      )),
    isDefault: defaultKey !== undefined && registry.find(defaultKey) === adapter,
    jobs: Object.keys(description.jobs),
    schedules: description.schedules.map(({ name, every }) => `${name} every ${every}`),
    routes: description.routes.map(({ method, path }) => `${method} ${addressOf(adapter, path)}`),
    webhooks: description.webhooks === undefined ? null : webhookProofName(description.webhooks),
    budget: description.budget ?? null,
    authorisation: describeAuthorisation(adapter)
  }
}

/** Names the way in which deliveries are authenticated, for people. */
export function webhookProofName ({ scheme, verify }: {
  scheme: string,
  verify?: DescribedVerification | undefined
}): string {
  return verify === undefined ? scheme : `${verify.kind} of the platform`
}

function describeAuthorisation (adapter: LoadedAdapter): AdapterView['authorisation'] {
  const route = authorisationRoute(adapter.description)
  return route === undefined ? null : { path: addressOf(adapter, route.path), schema: { ...route.schema.body } }
}

function iconAddressOf ({ manifest, version }: AdapterPackage): string {
  return `/adapters/${manifest.adapterKey}/versions/${encodeURIComponent(version)}/icon`
}

function addressOf ({ manifest: { platformType } }: LoadedAdapter, path: string): string {
  return `/integrations/${platformType}${path}`
}
