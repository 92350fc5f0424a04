import type { SchemaProblem } from '@linker/sdk/host'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Registry } from '../../adapters/registry.ts'
import { readCursors } from '../../adapters/store.ts'
import { listChanges } from '../../audit/list-changes.ts'
import type { Database } from '../../database/database.ts'
import type { Connections } from '../connections.ts'
import type { EventJobsOf } from './event-changes.ts'
import { migrateConfig } from './migrate-config.ts'
import { planMigrations } from './migration-plan.ts'
import {
  departureOwner,
  describeMove,
  findObstacles,
  ownerOf,
  secretMembers,
  type Departure,
  type Destination
} from './preflight.ts'
import { refusal, staleRefusal } from './refusal.ts'
import type { Move, RollbackBody } from './schemas.ts'
import { readLatestSnapshot, restoreCursors, type Snapshot } from './store.ts'
import type { Swap } from './swap.ts'

export interface RollbackOptions {
  database: Pick<Database, 'query'>
  connections: Pick<Connections, 'readCredentials'>
  registry: Registry
  eventJobsOf: EventJobsOf
  departureOf(id: string, expectedVersion: number | undefined): Promise<Departure>
  swap: Swap
}

/** Returns the function that undoes the last move of a connection which was not undone yet. */
export function createRollback ({ database: { query }, connections, registry, eventJobsOf, departureOf, swap }:
  RollbackOptions)
{
  return async function rollback (
    id: string,
    body: RollbackBody,
    { expectedVersion }: { expectedVersion?: number | undefined }
  ): Promise<Move> {
    const departure = await departureOf(id, expectedVersion)
    const snapshot = await readLatestSnapshot(query, id)
    if (snapshot === undefined) throw refusal([noSnapshot])
    const destination = destinationOf(registry, snapshot)
    const { value: credentials } = await connections.readCredentials(id)
    const obstacles = await findObstacles(destination, credentials)
    if (obstacles.length > 0) throw refusal(obstacles)

    const planned = describeMove(departure, destination, eventJobsOf)
    const warnings = [...planned.warnings, ...await changesSince(departure, destination.adapter, snapshot)]
    if (body.dryRun) {
      return { ...planned, warnings: [...warnings, ...cursorsSince(snapshot, await readCursors(query, id))] }
    }
    let cursors: SchemaProblem[] = []
    await swap(departure, destination, {
      waitMs: body.waitSeconds * 1_000,
      expectedVersion,
      isAccepted: false,
      async store (query) {
        cursors = cursorsSince(snapshot, await readCursors(query, id))
        if (!await restoreCursors(query, id, snapshot)) throw staleRefusal()
      }
    })
    return { ...planned, warnings: [...warnings, ...cursors], applied: true }
  }
}

const noSnapshot: SchemaProblem = {
  pointer: '',
  code: 'no-snapshot',
  message: 'the connection was never moved, or every move was rolled back'
}

/** The state that a snapshot holds, with as many of its capabilities as its adapter still has. */
function destinationOf (
  registry: Registry,
  { adapterKey, adapterVersion, config, capabilities }: Snapshot
): Destination {
  const adapter = registry.find(adapterKey, adapterVersion)
  if (adapter === undefined) {
    throw refusal([{
      pointer: '/adapterVersion',
      code: 'missing',
      message: registry.explain(adapterKey, adapterVersion)
    }])
  }
  return {
    adapter,
    adapterVersion,
    config,
    capabilities: capabilities.filter(name => adapter.supportedCapabilities.includes(name)),
    steps: []
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
  const changes = listChanges(
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

/** The cursors that advanced after the move. */
function cursorsSince (snapshot: Snapshot, cursors: Record<string, string>): SchemaProblem[] {
  return listChanges(snapshot.cursors, cursors, () => false).map(({ pointer }) => ({
    pointer: `/cursors${pointer}`,
    code: 'given-up',
    message: 'has advanced since the move; the rollback resets it to its old position'
  }))
}
