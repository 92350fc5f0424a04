import type { Manifest } from '@linker/sdk'
import type { AdapterDescription, RouteDescription } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import semver from 'semver'
import { grownPermissions } from '../../adapters/lock-permissions.ts'
import type { Change, Step } from './change.ts'
import { compareSchemas } from './compare-schemas.ts'

/** The promises of an adapter version, as its package.json and its code give them. */
export interface AdapterContract {
  manifest: Manifest
  /** `engines` and the range of the SDK, by their names. */
  ranges: Readonly<Record<string, string>>
  description: AdapterDescription
}

/** Lists everything that differs for a hub, its operator or a caller of the adapter's routes. */
export function compareContracts (before: AdapterContract, after: AdapterContract): Change[] {
  const [old, fresh] = [before.description, after.description]
  return [
    ...compareIdentities(before.manifest, after.manifest),
    ...compareRanges(before.ranges, after.ranges),
    ...compareCapabilities(old.capabilities, fresh.capabilities),
    ...compareSchemas('config', old.config, fresh.config, 'taken'),
    ...compareSchemas('credentials', old.credentials, fresh.credentials, 'taken'),
    ...compareMigrations(old.migrations, fresh.migrations),
    ...compareJobs(old.jobs, fresh.jobs),
    ...compareSchedules(old.schedules, fresh.schedules),
    ...compareRoutes(old.routes, fresh.routes),
    ...compareWebhooks(old.webhooks, fresh.webhooks),
    ...comparePermissions(before.manifest, after.manifest),
    ...compareSettings(old, fresh)
  ]
}

function compareIdentities (before: Manifest, after: Manifest): Change[] {
  const members = [
    ['adapterKey', 'major'],
    ['platformType', 'major'],
    ['displayName', 'patch']
  ] as const
  return members.flatMap(([member, step]) => changeOf(step, member, before[member], after[member]))
}

/** A range that no version of the former one satisfies shuts out every hub that had the adapter. */
function compareRanges (before: AdapterContract['ranges'], after: AdapterContract['ranges']): Change[] {
  return namesOf(before, after).flatMap(name => {
    const [from, to] = [before[name], after[name]]
    if (from === to || from === undefined || to === undefined) return changeOf('minor', name, from, to)
    const isApart = semver.validRange(from) !== null && semver.validRange(to) !== null && !semver.intersects(from, to)
    return changeOf(isApart ? 'major' : 'minor', name, from, to)
  })
}

type Capabilities = AdapterDescription['capabilities']

function compareCapabilities (before: Capabilities, after: Capabilities): Change[] {
  return compareNamed('capability', before, after, (place, from, to) => {
    // Only a client could tell the methods of one of them.
    if (from === null || to === null) return []
    const methods = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, true]))
    return compareNamed(`${place}: method`, methods(from), methods(to), () => [])
  })
}

/** A migration that is gone leaves connections of its version behind. */
function compareMigrations (
  before: AdapterDescription['migrations'],
  after: AdapterDescription['migrations']
): Change[] {
  const named = (migrations: AdapterDescription['migrations']) =>
    Object.fromEntries(migrations.map(migration => [`${migration.from} → ${migration.to}`, migration]))
  return compareNamed('migration', named(before), named(after), (place, from, to) => {
    if (from.isReversible === to.isReversible) return []
    return [
      to.isReversible
        ? { step: 'minor', place, message: 'can be reversed now' }
        : { step: 'major', place, message: 'cannot be reversed any more' }
    ]
  })
}

function compareJobs (before: AdapterDescription['jobs'], after: AdapterDescription['jobs']): Change[] {
  return compareNamed('job', before, after, (place, from, to) => compareSchemas(`${place} payload`, from, to, 'taken'))
}

type Schedules = AdapterDescription['schedules']

function compareSchedules (before: Schedules, after: Schedules): Change[] {
  const named = (schedules: Schedules) => Object.fromEntries(schedules.map(schedule => [schedule.name, schedule]))
  return compareNamed('schedule', named(before), named(after), (place, from, to) => [
    ...changeOf('minor', `${place} every`, from.every, to.every),
    ...changeOf('major', `${place} job`, from.job, to.job),
    ...changeOf('minor', `${place} payload`, from.payload, to.payload)
  ])
}

const loosest = ['public', 'read', 'operate', 'admin']

function compareRoutes (before: AdapterDescription['routes'], after: AdapterDescription['routes']): Change[] {
  const named = (routes: AdapterDescription['routes']) =>
    Object.fromEntries(routes.map(route => [`${route.method} ${route.path}`, route]))
  return compareNamed('route', named(before), named(after), (place, from, to) => {
    const isStricter = loosest.indexOf(to.auth) > loosest.indexOf(from.auth)
    return [
      ...changeOf(isStricter ? 'major' : 'minor', `${place} auth`, from.auth, to.auth),
      ...changeOf('patch', `${place} summary`, from.summary, to.summary),
      ...changeOf('minor', `${place} servesUnusable`, from.servesUnusable, to.servesUnusable),
      ...changeOf('minor', `${place} readsHubOnly`, from.readsHubOnly, to.readsHubOnly),
      ...compareRouteSchemas(place, from.schema, to.schema)
    ]
  })
}

type RouteSchemas = RouteDescription['schema']

function compareRouteSchemas (place: string, before: RouteSchemas, after: RouteSchemas): Change[] {
  const parts = ['params', 'query', 'body'] as const
  return [
    // Without a schema, the hub checks nothing.
    ...parts.flatMap(part => compareSchemas(`${place} ${part}`, before[part] ?? {}, after[part] ?? {}, 'taken')),
    ...compareNamed(
      `${place} answer`,
      before.response ?? {},
      after.response ?? {},
      (answer, from, to) => compareSchemas(answer, from, to, 'given')
    )
  ]
}

type Webhooks = AdapterDescription['webhooks']

function compareWebhooks (before: Webhooks, after: Webhooks): Change[] {
  if (before === undefined || after === undefined) {
    if (before === after) return []
    return [
      before === undefined
        ? { step: 'minor', place: 'webhooks', message: 'is new' }
        : { step: 'major', place: 'webhooks', message: 'is gone' }
    ]
  }
  const proofOf = ({ scheme, verify }: NonNullable<Webhooks>): unknown => verify ?? scheme
  return [
    // The hub would refuse the deliveries of connections that were set up for the former proof.
    ...changeOf('major', 'webhooks verify', proofOf(before), proofOf(after)),
    ...compareEvents(before.events, after.events),
    ...changeOf('minor', 'webhooks source', before.source, after.source),
    ...changeOf('minor', 'webhooks body', before.body, after.body),
    ...changeOf('minor', 'webhooks windowMs', before.windowMs, after.windowMs),
    ...changeOf(after.canInstall ? 'minor' : 'major', 'webhooks install', before.canInstall, after.canInstall)
  ]
}

type Events = NonNullable<Webhooks>['events']

/** Without `events` the adapter has those of the specification. */
function compareEvents (before: Events, after: Events): Change[] {
  if (before === undefined || after === undefined) return changeOf('major', 'webhooks events', before, after)
  return compareNamed('event', before, after, (place, from, to) => changeOf('minor', place, from, to))
}

/** The operator has to agree to a permission that is new. */
function comparePermissions ({ permissions: before }: Manifest, { permissions: after }: Manifest): Change[] {
  const change = (step: Step, message: string) => (line: string): Change => ({
    step,
    place: 'permission',
    message: `${message} ${line}`
  })
  return [
    ...grownPermissions(before, after).map(change('minor', 'it may now')),
    ...grownPermissions(after, before).map(change('patch', 'it may no longer'))
  ]
}

function compareSettings (before: AdapterDescription, after: AdapterDescription): Change[] {
  return [
    ...compareFunction('test', before.hasTest, after.hasTest),
    ...compareFunction('account', before.hasAccount, after.hasAccount),
    ...compareFunction('normalizeCredentials', before.normalizesCredentials, after.normalizesCredentials),
    ...changeOf('minor', 'checkConfig', before.checksConfig, after.checksConfig),
    ...changeOf('minor', 'init', before.hasInit, after.hasInit),
    ...changeOf('minor', 'budget', before.budget, after.budget),
    ...changeOf('minor', 'offers', before.offers, after.offers),
    ...changeOf('minor', 'orders', before.orders, after.orders),
    ...changeOf(
      after.authorisation === undefined ? 'major' : 'minor',
      'authorisation',
      before.authorisation?.path,
      after.authorisation?.path
    )
  ]
}

function compareFunction (name: string, had: boolean, has: boolean): Change[] {
  return changeOf(has ? 'minor' : 'major', name, had, has)
}

/** Names that are gone need a major step, and new ones a minor one. */
function compareNamed<Value> (
  kind: string,
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  compare: (place: string, from: Value, to: Value) => Change[]
): Change[] {
  return namesOf(before, after).flatMap(name => {
    const place = `${kind} ${name}`
    const [from, to] = [own(before, name), own(after, name)]
    if (from === undefined) return [{ step: 'minor', place, message: 'is new' }]
    return to === undefined ? [{ step: 'major', place, message: 'is gone' }] : compare(place, from, to)
  })
}

function changeOf (step: Step, place: string, from: unknown, to: unknown): Change[] {
  if (isDeepStrictEqual(from, to)) return []
  if (from === undefined || from === false) return [{ step, place, message: `is new${valueOf(to)}` }]
  if (to === undefined || to === false) return [{ step, place, message: 'is gone' }]
  const isLong = typeof from === 'object' || typeof to === 'object'
  return [{ step, place, message: isLong ? 'differs' : `is ${String(to)}, was ${String(from)}` }]
}

const valueOf = (value: unknown): string => typeof value === 'string' || typeof value === 'number' ? `: ${value}` : ''

/** A name such as `constructor` must not find what every object has. */
function own<Value> (record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function namesOf (before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
}
