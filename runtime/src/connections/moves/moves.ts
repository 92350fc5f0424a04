import type { Log } from '@linker/sdk'
import type { SchemaProblem } from '@linker/sdk/host'
import fp from 'fastify-plugin'
import type { Adapters } from '../../adapters/adapters.ts'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Registry } from '../../adapters/registry.ts'
import type { Database } from '../../database/database.ts'
import { MoveUnconfirmedError } from '../../errors.ts'
import { adapterFor, newerInstalled } from '../adapter-for.ts'
import type { Connections } from '../connections.ts'
import type { Connection } from '../entity.ts'
import { checkVersion } from '../update.ts'
import type { EventJobsOf } from './event-changes.ts'
import { migrateConfig } from './migrate-config.ts'
import { planMigrations } from './migration-plan.ts'
import {
  confirmationsOf,
  departureOwner,
  describeMove,
  findObstacles,
  ownerOf,
  tryDestination,
  type Departure,
  type Destination,
  type Trial
} from './preflight.ts'
import { refusal } from './refusal.ts'
import { createRollback } from './rollback.ts'
import type { Move, MoveBody, PastMove } from './schemas.ts'
import { listMoves, takeSnapshot } from './store.ts'
import { createSwap } from './swap.ts'

declare module 'fastify' {
  interface FastifyInstance {
    moves: Moves
  }
}

export interface MovesOptions {
  database: Database
  connections: Connections
  adapters: Pick<Adapters, 'registry' | 'listInstalled' | 'call' | 'forget'>
  eventJobsOf: EventJobsOf
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
export function createMoves ({ database, connections, adapters, eventJobsOf, now }: MovesOptions) {
  const { registry } = adapters
  const swap = createSwap({ connections, adapters, now })

  async function departureOf (id: string, expectedVersion: number | undefined): Promise<Departure> {
    const connection = await connections.get(id)
    checkVersion(connection, expectedVersion)
    return { connection, adapter: registry.find(connection.adapterKey, connection.adapterVersion) }
  }

  async function move (id: string, body: MoveBody, { expectedVersion, ...request }: MoveRequest): Promise<Move> {
    const departure = await departureOf(id, expectedVersion)
    const { connection } = departure
    const adapterKey = body.adapterKey ?? connection.adapterKey
    const isLoaded = registry.find(adapterKey, body.adapterVersion) !== undefined
    const adapter = adapterFor(
      registry,
      connection.platformType,
      adapterKey,
      body.adapterVersion,
      isLoaded ? undefined : await adapters.listInstalled()
    )
    const { destination, problems } = await reach(departure, adapter, body.adapterVersion)
    const { value: credentials } = await connections.readCredentials(id)
    const obstacles = [...problems, ...await findObstacles(destination, credentials)]
    const trial = body.test && obstacles.length === 0
      ? await tryDestination(adapters, { connection, destination, credentials, request })
      : noTrial

    const notLoaded = body.adapterVersion === 'latest'
      ? newerInstalled(registry, adapter, await adapters.listInstalled() ?? [])
      : []
    const planned = describeMove(departure, destination, eventJobsOf)
    const confirmations = confirmationsOf(planned)
    const reasons = [...obstacles, ...trial.problems]
    if (reasons.length > 0) throw refusal([...reasons, ...body.confirm || body.dryRun ? [] : confirmations])
    const answer = {
      ...planned,
      warnings: [
        ...planned.warnings,
        ...confirmations,
        ...trial.warnings,
        ...newerMajors(registry, connection, body),
        ...notLoaded
      ]
    }
    if (body.dryRun || isThere(connection, destination)) return answer
    if (confirmations.length > 0 && !body.confirm) throw refusal(confirmations, MoveUnconfirmedError)

    await swap(departure, destination, {
      waitMs: body.waitSeconds * 1_000,
      expectedVersion,
      isAccepted: trial.message !== undefined,
      store: query => takeSnapshot(query, id, planned.to)
    })
    return { ...answer, applied: true }
  }

  /** Lists the last moves of a connection, newest first, those that were rolled back included. */
  async function list (id: string): Promise<PastMove[]> {
    await connections.get(id)
    return listMoves(database.query, id)
  }

  const rollback = createRollback({ database, connections, registry, eventJobsOf, departureOf, swap })
  return { move, list, rollback }
}

const noTrial: Trial = { message: undefined, problems: [], warnings: [] }

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

function isThere (connection: Connection, { adapter, adapterVersion }: Destination): boolean {
  return connection.adapterKey === adapter.manifest.adapterKey && connection.adapterVersion === adapterVersion
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
    message: `could name the newer major ${manifest.adapterKey}@${version}, which is also installed`
  }))
}

export default fp<Pick<MovesOptions, 'eventJobsOf' | 'now'>>(async (app, { eventJobsOf, now }) => {
  app.decorate(
    'moves',
    createMoves({
      database: app.database,
      connections: app.connections,
      adapters: app.adapters,
      eventJobsOf,
      now
    })
  )
}, { name: 'moves', dependencies: ['database', 'connections', 'adapters'] })
