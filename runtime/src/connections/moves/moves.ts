import fp from 'fastify-plugin'
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '@linker/sdk'
import type { SchemaProblem } from '@linker/sdk/host'
import type { Adapters } from '../../adapters/adapters.ts'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Registry } from '../../adapters/registry.ts'
import type { Database, Query } from '../../database/database.ts'
import { MoveRefusedError, MoveUnconfirmedError } from '../../errors.ts'
import { adapterFor, keptOf } from '../adapter-for.ts'
import { diffConfig } from './config-diff.ts'
import type { Connections } from '../connections.ts'
import type { Connection } from '../entity.ts'
import { migrateConfig } from './migrate-config.ts'
import { planMigrations } from './migration-plan.ts'
import {
  confirmationsOf,
  departureOwner,
  describeMove,
  findObstacles,
  ownerOf,
  secretMembers,
  tryDestination,
  type Departure,
  type Destination,
  type Trial
} from './preflight.ts'
import type { Move, MoveBody, RollbackBody } from './schemas.ts'
import { readCursors } from '../../adapters/store.ts'
import { checkVersion } from '../update.ts'
import { latestSnapshot, restoreCursors, takeSnapshot, type Snapshot } from './snapshots.ts'

declare module 'fastify' {
  interface FastifyInstance {
    moves: Moves
  }
}

export interface MovesOptions {
  database: Database
  connections: Connections
  adapters: Pick<Adapters, 'registry' | 'call' | 'forget'>
  now: () => Date
}

export interface MoveRequest {
  requestId: string
  log: Pick<Log, 'error'>
  expectedVersion?: number | undefined
}

export type Moves = ReturnType<typeof createMoves>

/**
 * Moves connections to other adapter versions and back, each between two jobs of the connection.
 */
export function createMoves ({ database, connections, adapters, now }: MovesOptions) {
  const { registry } = adapters

  async function departureOf (id: string, expectedVersion: number | undefined): Promise<Departure> {
    const connection = await connections.get(id)
    checkVersion(connection, expectedVersion)
    return { connection, adapter: registry.find(connection.adapterKey, connection.adapterVersion) }
  }

  async function move (id: string, body: MoveBody, { expectedVersion, ...request }: MoveRequest): Promise<Move> {
    const departure = await departureOf(id, expectedVersion)
    const { connection } = departure
    const adapter = adapterFor(
      registry,
      connection.platformType,
      body.adapterKey ?? connection.adapterKey,
      body.adapterVersion
    )
    const { destination, problems } = await reach(departure, adapter, body.adapterVersion)
    const { value: credentials } = await connections.readCredentials(id)
    const obstacles = [...problems, ...await findObstacles(destination, credentials)]
    const trial = body.test && obstacles.length === 0
      ? await tryDestination(adapters, connection, destination, credentials, request)
      : noTrial

    const planned = describeMove(departure, destination)
    const confirmations = confirmationsOf(planned)
    const reasons = [...obstacles, ...trial.problems]
    if (reasons.length > 0) throw refusal([...reasons, ...body.confirm || body.dryRun ? [] : confirmations])
    const answer = {
      ...planned,
      warnings: [...planned.warnings, ...confirmations, ...trial.warnings, ...newerMajors(registry, connection, body)]
    }
    if (isThere(connection, destination)) return answer
    if (body.dryRun) return answer
    if (confirmations.length > 0 && !body.confirm) throw refusal(confirmations, MoveUnconfirmedError)

    await swap(departure, destination, {
      waitMs: body.waitSeconds * 1_000,
      expectedVersion,
      isAccepted: trial.message !== undefined,
      store: query => takeSnapshot(query, id)
    })
    return { ...answer, applied: true }
  }

  async function rollback (id: string, body: RollbackBody, { expectedVersion }: MoveRequest): Promise<Move> {
    const departure = await departureOf(id, expectedVersion)
    const snapshot = await latestSnapshot(database.query, id)
    if (snapshot === undefined) {
      throw refusal([{
        pointer: '',
        code: 'no-snapshot',
        message: 'the connection was never moved, or every move was rolled back'
      }])
    }
    const adapter = registry.find(snapshot.adapterKey, snapshot.adapterVersion)
    if (adapter === undefined) {
      throw refusal([{
        pointer: '/adapterVersion',
        code: 'missing',
        message: registry.explain(snapshot.adapterKey, snapshot.adapterVersion)
      }])
    }
    const capabilities = snapshot.capabilities.filter(name => adapter.supportedCapabilities.includes(name))
    const destination = {
      adapter,
      adapterVersion: snapshot.adapterVersion,
      config: snapshot.config,
      capabilities,
      steps: []
    }
    const { value: credentials } = await connections.readCredentials(id)
    const obstacles = await findObstacles(destination, credentials)
    if (obstacles.length > 0) throw refusal(obstacles)

    const planned = describeMove(departure, destination)
    const warnings = [...planned.warnings, ...await changesSince(departure, adapter, snapshot)]
    if (body.dryRun) {
      return { ...planned, warnings: [...warnings, ...cursorsSince(snapshot, await readCursors(database.query, id))] }
    }
    let cursors: SchemaProblem[] = []
    async function store (query: Query): Promise<void> {
      cursors = cursorsSince(snapshot as Snapshot, await readCursors(query, id))
      if (!await restoreCursors(query, id, snapshot as Snapshot)) throw stale()
    }
    await swap(departure, destination, { waitMs: body.waitSeconds * 1_000, expectedVersion, isAccepted: false, store })
    return { ...planned, warnings: [...warnings, ...cursors], applied: true }
  }

  /** The state of the connection under another adapter version, with its config migrated. */
  async function reach (
    departure: Departure,
    adapter: LoadedAdapter,
    adapterVersion: string
  ): Promise<{ destination: Destination, problems: SchemaProblem[] }> {
    const { connection } = departure
    const { steps, oneWay } = planMigrations(departureOwner(departure), ownerOf(adapter))
    const migrated = await migrateConfig(connection.config, steps, { target: adapter, current: departure.adapter })
    const config = Array.isArray(migrated) ? connection.config : migrated
    const problems = Array.isArray(migrated) ? migrated : []
    if (oneWay !== undefined && adapter.validateConfig(config, '/config').problems.length > 0) {
      problems.push({
        pointer: '/config',
        code: 'one-way',
        message: `does not fit that version, and the migration from ${oneWay.from} to ${oneWay.to} is irreversible`
      })
    }
    return {
      destination: {
        adapter,
        adapterVersion,
        config,
        capabilities: capabilitiesAfter(departure, adapter),
        steps: Array.isArray(migrated) ? [] : steps
      },
      problems
    }
  }

  /** The members of the config that changed after the move. */
  async function changesSince (
    departure: Departure,
    adapter: LoadedAdapter,
    snapshot: Snapshot
  ): Promise<SchemaProblem[]> {
    const { steps } = planMigrations(ownerOf(adapter), departureOwner(departure))
    const moved = await migrateConfig(snapshot.config, steps, { target: departure.adapter, current: adapter })
    const changes = diffConfig(
      Array.isArray(moved) ? snapshot.config : moved,
      departure.connection.config,
      secretMembers(departure, adapter)
    )
    return changes.map(({ pointer }) => ({
      pointer: `/config${pointer}`,
      code: 'given-up',
      message: 'was changed after the move; the rollback discards this change'
    }))
  }

  interface SwapOptions {
    waitMs: number
    expectedVersion: number | undefined
    isAccepted: boolean
    store: (query: Query) => Promise<void>
  }

  async function swap (
    { connection: seen }: Departure,
    { adapter, adapterVersion, config, capabilities }: Destination,
    { waitMs, expectedVersion, isAccepted, store }: SwapOptions
  ): Promise<void> {
    await connections.changeBetweenJobs(seen.id, { waitMs, expectedVersion }, async (connection, { em, query }) => {
      if (!isUnchanged(seen, connection)) throw stale()
      await store(query)
      em.assign(connection, {
        adapterKey: adapter.manifest.adapterKey,
        adapterVersion,
        config,
        capabilities,
        ...keptOf(adapter),
        ...(isAccepted && connection.status === 'error' ? { status: 'active', statusReason: null } : {}),
        updatedAt: now()
      })
    })
    adapters.forget(seen.id)
  }

  return { move, rollback }
}

const noTrial: Trial = { message: undefined, problems: [], warnings: [] }

/**
 * A connection that had every capability of its old version gets every capability of the new one.
 * When the operator chose some capabilities, that choice stays.
 */
function capabilitiesAfter ({ connection, adapter }: Departure, next: LoadedAdapter): string[] {
  const hasAll = adapter?.supportedCapabilities.every(name => connection.capabilities.includes(name)) === true
  return hasAll
    ? [...next.supportedCapabilities]
    : connection.capabilities.filter(name => next.supportedCapabilities.includes(name))
}

function cursorsSince (snapshot: Snapshot, cursors: Record<string, string>): SchemaProblem[] {
  return diffConfig(snapshot.cursors, cursors, () => false).map(({ pointer }) => ({
    pointer: `/cursors${pointer}`,
    code: 'given-up',
    message: 'has advanced since the move; the rollback resets it to its old position'
  }))
}

function isThere (connection: Connection, { adapter, adapterVersion }: Destination): boolean {
  return connection.adapterKey === adapter.manifest.adapterKey && connection.adapterVersion === adapterVersion
}

/** Whether the connection is still what the preflight judged. Its status may have changed. */
function isUnchanged (seen: Connection, now: Connection): boolean {
  const judged = ({ adapterKey, adapterVersion, config, capabilities, credentialsRef }: Connection): unknown => ({
    adapterKey,
    adapterVersion,
    config,
    capabilities,
    credentialsRef
  })
  return isDeepStrictEqual(judged(seen), judged(now))
}

/**
 * `latest` means the newest version of one adapter key, and a newer major version has another key.
 */
function newerMajors (
  registry: Registry,
  { adapterKey: current }: Connection,
  { adapterKey = current, adapterVersion }: MoveBody
): SchemaProblem[] {
  if (adapterVersion !== 'latest') return []
  return registry.newerMajors(adapterKey).map(({ manifest, version }) => ({
    pointer: '/adapterKey',
    code: 'newer-major',
    message: `the newer major ${manifest.adapterKey}@${version} is also installed; to move to it, name its adapterKey`
  }))
}

function stale (): Error {
  return refusal([{ pointer: '', code: 'changed', message: 'another request changed the connection at the same time' }])
}

function refusal (
  reasons: readonly SchemaProblem[],
  Refusal: typeof MoveRefusedError | typeof MoveUnconfirmedError = MoveRefusedError
): Error {
  return Object.assign(new Refusal(reasons.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join('; ')), {
    errors: reasons
  })
}

export default fp<{ now: () => Date }>(async (app, { now }) => {
  app.decorate(
    'moves',
    createMoves({ database: app.database, connections: app.connections, adapters: app.adapters, now })
  )
}, { name: 'moves', dependencies: ['database', 'connections', 'adapters'] })
