import { isAdapterError, type TestResult } from '@linker/sdk'
import { markedMembers, type SchemaProblem } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import semver from 'semver'
import type { Adapters } from '../../adapters/adapters.ts'
import type { LoadedAdapter } from '../../adapters/load.ts'
import { grownPermissions } from '../../adapters/lock-permissions.ts'
import { webhookProofName } from '../../adapters/view.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { keptOf } from '../adapter-for.ts'
import { shortened, warningsOf, type TestRequest } from '../connection-test.ts'
import type { Connection } from '../entity.ts'
import { deprecatedMembers, findAdapterProblems, needsNoCredentials } from '../validate.ts'
import { listEventChanges, type EventJobsOf } from './event-changes.ts'
import type { ConfigOwner, MigrationStep } from './migration-plan.ts'
import type { Move } from './schemas.ts'

/**
 * The state of a connection after the move. `steps` are the migrations that made this config from
 * the present one.
 */
export interface Destination {
  adapter: LoadedAdapter
  adapterVersion: string | null
  config: Record<string, unknown>
  capabilities: string[]
  steps: readonly MigrationStep[]
}

/** The state of a connection before the move. `adapter` is absent when it is not installed. */
export interface Departure {
  connection: Connection
  adapter: LoadedAdapter | undefined
}

/** Returns the answer to a move: its changes and warnings. `applied` is false until it is made. */
export function describeMove (
  { connection, adapter }: Departure,
  to: Destination,
  eventJobsOf: EventJobsOf
): Move {
  const { adapterKey, adapterVersion = null, capabilities, platformType } = connection
  const [before, after] = [adapter?.manifest.permissions, to.adapter.manifest.permissions]
  return {
    from: { adapterKey, adapterVersion, version: adapter?.version ?? null },
    to: { adapterKey: to.adapter.manifest.adapterKey, adapterVersion: to.adapterVersion, version: to.adapter.version },
    changes: {
      config: listChanges(connection.config, to.config, secretMembers({ connection, adapter }, to.adapter)),
      capabilities: {
        lost: capabilities.filter(name => !to.capabilities.includes(name)),
        gained: to.capabilities.filter(name => !capabilities.includes(name))
      },
      permissions: { grown: grownPermissions(before, after), dropped: grownPermissions(after, before) },
      migrations: to.steps.map(({ from, to, direction, isReversible }) => ({ from, to, direction, isReversible })),
      events: listEventChanges(
        eventJobsOf(connection, adapter),
        eventJobsOf({ platformType, ...keptOf(to.adapter) }, to.adapter)
      )
    },
    warnings: [
      ...to.adapter.validateConfig(to.config, '/config').unknown,
      ...deprecatedMembers(to.adapter, to.config),
      ...webhookWarnings(connection, to.adapter)
    ],
    applied: false
  }
}

/**
 * Returns a function that says by name whether a member of the config is a secret, which the hub
 * never shows. It is one if it was secret when the config was stored, or if the adapter version
 * before or after the move marks it as secret.
 */
export function secretMembers ({ connection, adapter }: Departure, target: LoadedAdapter): (name: string) => boolean {
  const secret = new Set([
    ...connection.secretMembers,
    ...markedMembers(adapter?.description.config ?? {}),
    ...markedMembers(target.description.config)
  ])
  return name => secret.has(name)
}

function webhookWarnings (
  connection: Connection,
  adapter: LoadedAdapter
): SchemaProblem[] {
  const [before, after] = [proofOf(connection), proofOf(keptOf(adapter))]
  return isDeepStrictEqual(before, after)
    ? []
    : [{
      pointer: '/webhooks',
      code: 'webhook-scheme',
      message: before.name === after.name
        ? `will be authenticated by another ${after.name}: set up the sender again`
        : `will be authenticated by ${after.name} instead of ${before.name}: set up the sender again`
    }]
}

function proofOf ({ webhookScheme, webhookRules }: Pick<Connection, 'webhookScheme' | 'webhookRules'>) {
  const { verify } = webhookRules ?? {}
  const name = webhookProofName({ scheme: webhookScheme, verify })
  // The database keeps a declaration as JSON, without members that are undefined.
  return { name, verify: JSON.parse(JSON.stringify(verify ?? null)) as unknown }
}

/**
 * Returns the changes that the operator has to accept. The hub prints each message behind its
 * pointer, so that both read as one sentence: `/capabilities loses OfferManager`.
 */
export function confirmationsOf ({ changes }: Move): SchemaProblem[] {
  return [
    ...changes.capabilities.lost.map(name => ({
      pointer: '/capabilities',
      code: 'capability-lost',
      message: `loses ${name}`
    })),
    ...changes.permissions.grown.map(permission => ({
      pointer: '/permissions',
      code: 'permission-grown',
      message: `now allows the adapter to ${permission}`
    })),
    ...changes.migrations.filter(({ isReversible }) => !isReversible).map(({ from, to }) => ({
      pointer: '/config',
      code: 'one-way',
      message: `is changed by the irreversible migration from ${from} to ${to}`
    }))
  ]
}

/**
 * Lists the reasons against a move that the hub can find without a request to the platform. As with
 * confirmations, each message continues its pointer.
 */
export async function findObstacles ({ adapter, config }: Destination, credentials: unknown): Promise<SchemaProblem[]> {
  const health = adapter.carrier.health()
  const worksWithoutCredentials = needsNoCredentials(adapter)
  return [
    ...'code' in health && health.state === 'crashed'
      ? [{
        pointer: '/adapterVersion',
        code: 'unavailable',
        message: `names ${adapter.manifest.adapterKey}@${adapter.version}, which is not available: ${health.message}`
      }]
      : [],
    ...adapter.validateConfig(config, '/config').problems,
    ...await findAdapterProblems(adapter, config),
    ...!worksWithoutCredentials && credentials === null
      ? [{
        pointer: '/credentials',
        code: 'required',
        message: 'are required by this version, but the connection has none'
      }]
      : adapter.validateCredentials(worksWithoutCredentials ? null : credentials, '/credentials').problems
  ]
}

/** The result of a connection test before the move. */
export interface Trial {
  /** The text of a passed test. Undefined when the test failed or the adapter has none. */
  message: string | undefined
  problems: SchemaProblem[]
  warnings: SchemaProblem[]
}

export interface TrialOptions {
  connection: Connection
  destination: Destination
  credentials: unknown
  /** The request that asks for the move. */
  request: TestRequest
}

const testTimeoutMs = 10_000

/**
 * Runs the connection test with the adapter version, the config and the credentials that the
 * connection would have after the move. Drops the values that the adapter asks to store, because
 * the move may still be refused.
 */
export async function tryDestination (
  adapters: Pick<Adapters, 'call'>,
  { connection, destination: { adapter, config }, credentials, request: { requestId, log } }: TrialOptions
): Promise<Trial> {
  if (!adapter.description.hasTest) return { message: undefined, problems: [], warnings: [] }
  const { id, platformType } = connection
  const version = `trial:${requestId}`
  const snapshot = { id, platformType, config, credentials, version, credentialsVersion: version }
  try {
    const result = await adapters.call(adapter, snapshot, { kind: 'test' }, [], {
      signal: AbortSignal.timeout(testTimeoutMs),
      requestId,
      keep: () => undefined
    }) as TestResult | undefined
    return {
      message: shortened(result?.message ?? 'accepted'),
      problems: [],
      warnings: warningsOf(result).map(message => ({ pointer: '/test', code: 'test', message }))
    }
  } catch (error) {
    const message = isAdapterError(error)
      ? shortened(error.message)
      : 'failed because of an error in the adapter. The log of the hub shows the reason'
    if (!isAdapterError(error)) {
      log.error({
        err: error,
        connectionId: id,
        adapter: `${adapter.manifest.adapterKey}@${adapter.version}`,
        requestId
      }, 'the connection test of an adapter failed')
    }
    return { message: undefined, problems: [{ pointer: '/test', code: 'test-failed', message }], warnings: [] }
  } finally {
    adapter.carrier.forget(id)
  }
}

/** Returns the adapter version as the owner of the form that its config has. */
export function ownerOf (adapter: LoadedAdapter): ConfigOwner {
  return {
    adapterKey: adapter.manifest.adapterKey,
    version: adapter.version,
    migrations: adapter.description.migrations
  }
}

/**
 * Returns the adapter version that owns the form of the connection's present config. The hub knows
 * the migrations of this version only while it is installed.
 */
export function departureOwner ({ connection, adapter }: Departure): ConfigOwner {
  if (adapter !== undefined) return ownerOf(adapter)
  return {
    adapterKey: connection.adapterKey,
    version: semver.valid(connection.adapterVersion) ?? undefined,
    migrations: []
  }
}
