import type { SchemaProblem } from '@linker/sdk/host'
import fp from 'fastify-plugin'
import type { Adapters } from '../../adapters/adapters.ts'
import { recordChange } from '../../audit/store.ts'
import { isForeignKeyViolation, repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query, Transaction } from '../../database/database.ts'
import { ConnectionDeletedError } from '../../errors.ts'
import { decodeCursor } from '../../http/paging.ts'
import { releaseGroup } from '../../jobs/holds/store.ts'
import { cancelWaiting, countWaiting, runningJobs } from '../../jobs/store.ts'
import type { Connections } from '../connections.ts'
import { describeChanges, stateOf } from '../describe-changes.ts'
import { createDrain, describeRunning, mostNamed } from '../drain.ts'
import type { Connection } from '../entity.ts'
import { requireConnection } from '../find.ts'
import { listDeleted, lockConnection, setMembers } from '../store.ts'
import { checkVersion } from '../update.ts'
import type { Belongings, Kept } from './belongings.ts'
import { findObstacles, refuseDeletion } from './obstacles.ts'
import type { DeletedConnection, DeletedQuery, Deletion } from './schemas.ts'
import { ownBelongings, ownKept } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deletions: Deletions
  }
}

export interface DeletionsOptions {
  database: Database
  connections: Pick<Connections, 'get'>
  adapters: Pick<Adapters, 'forget'>
  belongings: Belongings
  /** Called after the deletion is committed and before the client gets its answer. */
  onChanged: (connection: Connection) => Promise<void>
  now: () => Date
}

export interface DeletionRequest {
  isDryRun: boolean
  /** Whether open orders are no obstacle. */
  isForced: boolean
  /** How long jobs that run may take to end. */
  waitMs: number
  expectedVersion?: number | undefined
}

export type Deletions = ReturnType<typeof createDeletions>

/**
 * Deletes connections. The row of a connection stays without its settings, so that orders, jobs and
 * the audit can name it.
 */
export function createDeletions ({ database, connections, adapters, belongings, onChanged, now }: DeletionsOptions) {
  const drain = createDrain(database)
  const removed = [...belongings.removed, ...ownBelongings]
  const kept = [...belongings.kept, ...ownKept]

  async function remove (id: string, request: DeletionRequest): Promise<Deletion> {
    const { isDryRun, isForced, waitMs, expectedVersion } = request
    const connection = await connections.get(id)
    checkVersion(connection, expectedVersion)
    const obstacles = await findObstacles(database.query, connection, belongings, isForced)
    if (isDryRun) return preview(connection, obstacles)
    // Refuse before any job has to end.
    refuseDeletion(obstacles)
    const deleted = await drain(
      { connectionId: connection.id, waitMs },
      endHold =>
        repeatOnNewUse(() =>
          database.transaction(async transaction => {
            await endHold(transaction.query)
            return removeLocked(transaction, connection.id, request)
          })
        )
    )
    await onChanged(deleted.connection)
    adapters.forget(connection.id)
    return deleted.deletion
  }

  async function preview (connection: Connection, obstacles: readonly SchemaProblem[]): Promise<Deletion> {
    const running = await runningJobs(database.query, connection.id, mostNamed)
    return {
      ...await describe(database.query, connection),
      deleted: false,
      obstacles: [...obstacles, ...describeRunning(running)]
    }
  }

  async function removeLocked (
    transaction: Transaction,
    id: string,
    { isForced, expectedVersion }: DeletionRequest
  ): Promise<{ connection: Connection, deletion: Deletion }> {
    const { em, query } = transaction
    const connection = requireConnection(id, await lockConnection(em, id))
    checkVersion(connection, expectedVersion)
    refuseDeletion(await findObstacles(query, connection, belongings, isForced))
    const deletion = { ...await describe(query, connection), deleted: true, obstacles: [] }
    if (deletion.openOrders > 0) await belongings.openOrders.note(query, connection)
    const { code, message } = new ConnectionDeletedError(connection.name)
    await cancelWaiting(query, id, { code, message })
    for (const belonging of removed) await belonging.remove(query, id)
    await recordDeletion(query, connection, deletion)
    setMembers(em, connection, tombstoneAt(now()))
    await releaseGroup(query, id)
    return { connection, deletion }
  }

  async function describe (
    query: Query,
    { id, name, platformType }: Connection
  ): Promise<Omit<Deletion, 'deleted' | 'obstacles'>> {
    return {
      id,
      name,
      platformType,
      openOrders: await belongings.openOrders.count(query, id),
      cancelledJobs: await countWaiting(query, id),
      removed: await countAll(query, id, removed),
      kept: await countAll(query, id, kept)
    }
  }

  /** Lists deleted connections in the order in which they were created. */
  async function list ({ limit, cursor, takeOverBy }: DeletedQuery): Promise<DeletedConnection[]> {
    return listDeleted(database.query, {
      limit,
      takeOverBy,
      after: cursor === undefined ? undefined : decodeCursor(cursor)
    })
  }

  return {
    // Large catalogs and many offers take longer than other statements may.
    remove: (id: string, request: DeletionRequest) => database.patiently(() => remove(id, request)),
    list
  }
}

/** One statement after the other: a transaction has one connection to the database. */
async function countAll (query: Query, id: string, rows: readonly Kept[]): Promise<Deletion['removed']> {
  const counts = []
  for (const { what, count } of rows) counts.push({ what, count: await count(query, id) })
  return counts
}

async function recordDeletion (query: Query, connection: Connection, { openOrders }: Deletion): Promise<void> {
  const { id, name } = connection
  await recordChange(query, {
    action: 'connection.delete',
    connectionId: id,
    objectId: id,
    objectName: name,
    changes: [
      ...describeChanges(stateOf(connection), undefined),
      ...openOrders === 0 ? [] : [{ pointer: '/openOrders', from: openOrders }]
    ]
  })
}

/** Members of a deleted connection. Its name, its platform and its adapter stay readable. */
function tombstoneAt (deletedAt: Date): Partial<Connection> {
  return {
    status: 'disabled',
    statusReason: null,
    config: {},
    secretMembers: [],
    credentialsRef: null,
    capabilities: [],
    webhookEvents: null,
    webhookBody: null,
    webhookRules: null,
    installingUntil: null,
    updatedAt: deletedAt,
    deletedAt
  }
}

/**
 * Another request may link an offer to a variant of the connection between the look for obstacles
 * and the removal of the variant. Then PostgreSQL refuses the removal, and the second look finds
 * the offer.
 */
async function repeatOnNewUse<Result> (work: () => Promise<Result>): Promise<Result> {
  try {
    return await repeatOnConflict(work)
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    return repeatOnConflict(work)
  }
}

export default fp<Pick<DeletionsOptions, 'belongings' | 'onChanged' | 'now'>>(async (app, options) => {
  app.decorate(
    'deletions',
    createDeletions({ database: app.database, connections: app.connections, adapters: app.adapters, ...options })
  )
}, { name: 'deletions', dependencies: ['database', 'connections', 'adapters'] })
