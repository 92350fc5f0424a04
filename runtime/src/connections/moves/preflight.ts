import { isAdapterError, type TestResult } from '@linker/sdk'
import { markedMembers, type SchemaProblem } from '@linker/sdk/host'
import semver from 'semver'
import type { Adapters } from '../../adapters/adapters.ts'
import type { LoadedAdapter } from '../../adapters/load.ts'
import { grownPermissions } from '../../adapters/lock-permissions.ts'
import { diffConfig } from './config-diff.ts'
import { shortened, warningsOf, type TestRequest } from '../connection-test.ts'
import type { Connection } from '../entity.ts'
import type { ConfigOwner, MigrationStep } from './migration-plan.ts'
import type { Move } from './schemas.ts'
import { needsNoCredentials, ownProblems } from '../validate.ts'

/** The state that a connection is to get. */
export interface Destination {
  adapter: LoadedAdapter
  adapterVersion: string | null
  config: Record<string, unknown>
  capabilities: string[]
  steps: readonly MigrationStep[]
}

/** The present state of the connection, with its adapter when that is installed. */
export interface Departure {
  connection: Connection
  adapter: LoadedAdapter | undefined
}

/** The answer to a move that was not made yet. */
export function describeMove ({ connection, adapter }: Departure, to: Destination): Move {
  const { adapterKey, adapterVersion = null, capabilities } = connection
  const [before, after] = [adapter?.manifest.permissions, to.adapter.manifest.permissions]
  return {
    from: { adapterKey, adapterVersion, version: adapter?.version ?? null },
    to: { adapterKey: to.adapter.manifest.adapterKey, adapterVersion: to.adapterVersion, version: to.adapter.version },
    changes: {
      config: diffConfig(connection.config, to.config, secretMembers({ connection, adapter }, to.adapter)),
      capabilities: {
        lost: capabilities.filter(name => !to.capabilities.includes(name)),
        gained: to.capabilities.filter(name => !capabilities.includes(name))
      },
      permissions: { grown: grownPermissions(before, after), dropped: grownPermissions(after, before) },
      migrations: to.steps.map(({ from, to, direction, isReversible }) => ({ from, to, direction, isReversible }))
    },
    warnings: [...to.adapter.validateConfig(to.config, '/config').unknown, ...webhookWarnings(connection, to.adapter)],
    applied: false
  }
}

/**
 * Tells by name which members of a config are never shown: those that were secret when the config
 * was stored, and those that either version marks as secret.
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
  { webhookScheme }: Connection,
  { description: { webhooks } }: LoadedAdapter
): SchemaProblem[] {
  const scheme = webhooks?.scheme ?? 'hmac'
  return scheme === webhookScheme
    ? []
    : [{
      pointer: '/webhooks',
      code: 'webhook-scheme',
      message: `will be authenticated by ${scheme} instead of ${webhookScheme}: set up the sender again`
    }]
}

/** The changes that the operator has to accept. */
export function confirmationsOf ({ changes }: Move): SchemaProblem[] {
  return [
    ...changes.capabilities.lost.map(name => ({
      pointer: '/capabilities',
      code: 'capability-lost',
      message: `${name} is lost`
    })),
    ...changes.permissions.grown.map(permission => ({
      pointer: '/permissions',
      code: 'permission-grown',
      message: `the new version may ${permission}`
    })),
    ...changes.migrations.filter(({ isReversible }) => !isReversible).map(({ from, to }) => ({
      pointer: '/config',
      code: 'one-way',
      message: `the migration from ${from} to ${to} is irreversible`
    }))
  ]
}

/** Lists every reason against the destination that the hub can find without asking the platform. */
export async function findObstacles ({ adapter, config }: Destination, credentials: unknown): Promise<SchemaProblem[]> {
  const health = adapter.carrier.health()
  const isNeedless = needsNoCredentials(adapter)
  return [
    ...'code' in health && health.state === 'crashed'
      ? [{
        pointer: '/adapterVersion',
        code: 'unavailable',
        message: `${adapter.manifest.adapterKey}@${adapter.version} is not available: ${health.message}`
      }]
      : [],
    ...adapter.validateConfig(config, '/config').problems,
    ...await ownProblems(adapter, config),
    ...!isNeedless && credentials === null
      ? [{
        pointer: '/credentials',
        code: 'required',
        message: 'are required by this version, but the connection has none'
      }]
      : adapter.validateCredentials(isNeedless ? null : credentials, '/credentials').problems
  ]
}

export interface Trial {
  message: string | undefined
  problems: SchemaProblem[]
  warnings: SchemaProblem[]
}

const testTimeoutMs = 10_000

/**
 * Runs the connection test as it would run after the move. Values that the test wants to store are
 * dropped.
 */
export async function tryDestination (
  adapters: Pick<Adapters, 'call'>,
  connection: Connection,
  { adapter, config }: Destination,
  credentials: unknown,
  { requestId, log }: TestRequest
): Promise<Trial> {
  if (!adapter.description.hasTest) return { message: undefined, problems: [], warnings: [] }
  const { id, platformType } = connection
  const snapshot = { id, platformType, config, credentials, version: `trial:${requestId}` }
  try {
    const found = await adapters.call(adapter, snapshot, { kind: 'test' }, [], {
      signal: AbortSignal.timeout(testTimeoutMs),
      requestId,
      keep: () => undefined
    }) as TestResult | undefined
    return {
      message: shortened(found?.message ?? 'accepted'),
      problems: [],
      warnings: warningsOf(found).map(message => ({ pointer: '/test', code: 'test', message }))
    }
  } catch (error) {
    const message = isAdapterError(error)
      ? shortened(error.message)
      : 'the adapter failed. The log of the hub shows the reason'
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

export function ownerOf (adapter: LoadedAdapter): ConfigOwner {
  return {
    adapterKey: adapter.manifest.adapterKey,
    version: adapter.version,
    migrations: adapter.description.migrations
  }
}

/**
 * The owner of the form that the connection's config has now. Its migrations are known only while
 * that version is installed.
 */
export function departureOwner ({ connection, adapter }: Departure): ConfigOwner {
  if (adapter !== undefined) return ownerOf(adapter)
  return {
    adapterKey: connection.adapterKey,
    version: semver.valid(connection.adapterVersion) ?? undefined,
    migrations: []
  }
}
