import fp from 'fastify-plugin'
import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { isDeepStrictEqual } from 'node:util'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { toStoreFailure } from '../credentials/store-failure.ts'
import type { Database, Transaction } from '../database/database.ts'
import { ConnectionDisabledException, ConnectionNotFoundException, PreconditionFailedError } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import { isUniqueViolation } from '../database/conflict.ts'
import type { SchemaProblem } from '@linker/sdk/host'
import { adapterFor, keptOf } from './adapter-for.ts'
import { toCreationFailure } from './creation-failure.ts'
import { createDrain } from './drain.ts'
import { Connection } from './entity.ts'
import { mergeConfig } from './merge-config.ts'
import { createOpening, credentialsVersionOf } from './open-connection.ts'
import { createRedaction } from './redaction.ts'
import type { ConnectionBody, ConnectionPatch, ConnectionQuery } from './schemas.ts'
import { takeSnapshot } from './snapshots.ts'
import {
  checkCapabilities,
  checkConfig,
  checkCredentials,
  needsNoCredentials,
  ownProblems,
  refuse
} from './validate.ts'
import { writeValues } from '../adapters/values.ts'

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

/** Values that are stored together with a connection. */
interface Kept {
  /** Values of its `kv`. */
  values?: Readonly<Record<string, unknown>>
  credentialsLabel?: string | undefined
}

export interface Changed {
  connection: Connection
  warnings: SchemaProblem[]
}

export type Connections = ReturnType<typeof createConnections>

export interface ConnectionsOptions {
  database: Database
  credentials: Credentials
  registry: Registry
  now: () => Date
  /** Called after every committed change and before the client gets its answer. */
  onChanged: (connection: Connection) => Promise<void>
}

const moveWaitMs = 30_000

export function createConnections (options: ConnectionsOptions) {
  const { database, credentials, registry, now, onChanged } = options
  const drain = createDrain(database)

  async function find (id: string): Promise<Connection | undefined> {
    return await database.orm.em.fork().findOne(Connection, { id }) ?? undefined
  }

  async function get (id: string): Promise<Connection> {
    return found(id, await find(id))
  }

  /** As `get`, for new work: a disabled connection is refused (specification, section 7.2). */
  async function getEnabled (id: string): Promise<Connection> {
    const connection = await get(id)
    if (connection.status === 'disabled') throw new ConnectionDisabledException(id)
    return connection
  }

  /**
   * As `get`, inside a transaction that changes the connection. The row lock makes changes of one
   * connection wait for each other.
   */
  async function lock (em: EntityManager, id: string, expectedVersion?: number): Promise<Connection> {
    const connection = found(id, await em.findOne(Connection, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
    checkVersion(connection, expectedVersion)
    return connection
  }

  async function list (query: ConnectionQuery): Promise<Connection[]> {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
    return database.orm.em.fork().find(Connection, {
      ...(query.platformType === undefined ? {} : { platformType: query.platformType }),
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(after === undefined
        ? {}
        : {
          $or: [{ createdAt: { $gt: new Date(after.createdAt) } }, {
            createdAt: new Date(after.createdAt),
            id: { $gt: after.id }
          }]
        })
    }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit: query.limit })
  }

  /**
   * Creates a connection under `id`. When another request with the same operation id has created
   * it, or creates it at this moment, returns that connection.
   */
  async function create (
    body: ConnectionBody,
    id: string,
    { values = {}, credentialsLabel }: Kept = {}
  ): Promise<Changed> {
    const adapter = adapterFor(registry, body.platformType, body.adapterKey, body.adapterVersion)
    const config = body.config ?? {}
    const warnings = checkConfig(adapter, config)
    refuse(await ownProblems(adapter, config))
    const capabilities = checkCapabilities(adapter, body.capabilities)
    refuseWrongCredentialMembers(adapter, body)
    const plain = body.credentials === undefined ? undefined : await checkCredentials(adapter, body.credentials)
    const connection = await repeatOnceOnDuplicate(() =>
      database.transaction(async ({ em, query }) => {
        const existing = await em.findOne(Connection, { id })
        if (existing !== null) return existing
        const created = em.create(Connection, {
          id,
          platformType: body.platformType,
          name: body.name,
          status: body.status ?? 'active',
          statusReason: null,
          config,
          credentialsRef: plain === undefined
            ? await existingRef(em, adapter, body.credentialsRef)
            : credentials.create(em, body.platformType, plain, credentialsLabel ?? labelOf(config)),
          adapterKey: adapter.manifest.adapterKey,
          adapterVersion: adapter.version,
          capabilities,
          ...keptOf(adapter),
          version: 1,
          createdAt: now(),
          updatedAt: now()
        })
        await em.persist(created).flush()
        await writeValues(query, id, values)
        return created
      })
    ).catch((error: unknown) => {
      throw toCreationFailure(error)
    })
    await onChanged(connection)
    return { connection, warnings }
  }

  async function existingRef (
    em: EntityManager,
    adapter: LoadedAdapter,
    credentialsRef: string | undefined
  ): Promise<string | null> {
    if (credentialsRef === undefined) return null
    const { platformType } = await credentials.read(em, credentialsRef)
    if (platformType !== adapter.manifest.platformType) {
      refuse([{ pointer: '/credentialsRef', code: 'platform', message: `belongs to platform '${platformType}'` }])
    }
    return credentialsRef
  }

  /**
   * A patch that names another adapter key or version is a move: the hub makes it between two jobs,
   * and it can be rolled back.
   */
  async function patch (id: string, body: ConnectionPatch, expectedVersion?: number): Promise<Changed> {
    const current = await get(id)
    await refuseUnusable(current, body)
    if (!isMove(current, body)) return change(id, body, expectedVersion)
    // Check before the move waits for jobs: a client with an old version gets its refusal at once.
    checkVersion(current, expectedVersion)
    const { warnings } = applyPatch(current, body)
    const connection = await changeBetweenJobs(
      id,
      { waitMs: moveWaitMs, expectedVersion },
      async (connection, { em, query }) => {
        await takeSnapshot(query, id)
        em.assign(connection, applyPatch(connection, body).members)
      }
    )
    return { connection, warnings }
  }

  async function change (id: string, body: ConnectionPatch, expectedVersion?: number): Promise<Changed> {
    const changed = await database.transaction(async ({ em }) => {
      const connection = await lock(em, id, expectedVersion)
      const { members, warnings } = applyPatch(connection, body)
      em.assign(connection, members)
      return { connection, warnings }
    })
    await onChanged(changed.connection)
    return changed
  }

  /**
   * Asks the adapter outside the transaction: the adapter may be in another thread, and no
   * transaction must wait for it.
   */
  async function refuseUnusable (connection: Connection, body: ConnectionPatch): Promise<void> {
    const { adapter, config } = patchedConfig(connection, body)
    if (adapter === undefined) return
    checkConfig(adapter, config)
    refuse(await ownProblems(adapter, config))
  }

  /**
   * `adapter` is the one that the patched connection has to fit. It is absent when the patch
   * changes nothing that concerns an adapter.
   */
  function patchedConfig (
    connection: Connection,
    body: ConnectionPatch
  ): { adapter?: LoadedAdapter, config: Record<string, unknown> } {
    const config = body.config === undefined ? connection.config : mergeConfig(connection.config, body.config)
    const needsAdapter = body.config !== undefined || body.adapterKey !== undefined ||
      body.adapterVersion !== undefined || body.capabilities !== undefined
    if (!needsAdapter) return { config }
    const version = body.adapterVersion ?? (body.adapterKey === undefined ? connection.adapterVersion : null)
    return {
      adapter: adapterFor(registry, connection.platformType, body.adapterKey ?? connection.adapterKey, version),
      config
    }
  }

  /**
   * Answers the connection's members after the patch. Throws when the config does not fit the
   * adapter.
   */
  function applyPatch (
    connection: Connection,
    body: ConnectionPatch
  ): { members: Partial<Connection>, warnings: SchemaProblem[] } {
    const { adapter, config } = patchedConfig(connection, body)
    const warnings = adapter === undefined ? [] : checkConfig(adapter, config)
    const members = {
      name: body.name ?? connection.name,
      status: body.status ?? connection.status,
      statusReason: body.status === undefined ? connection.statusReason : null,
      config,
      updatedAt: now(),
      ...(adapter === undefined ? {} : {
        adapterKey: adapter.manifest.adapterKey,
        adapterVersion: body.adapterVersion ??
          (body.adapterKey === undefined ? connection.adapterVersion : adapter.version),
        capabilities: checkCapabilities(
          adapter,
          body.capabilities ?? connection.capabilities.filter(name => adapter.supportedCapabilities.includes(name))
        ),
        ...keptOf(adapter)
      })
    }
    return { members, warnings }
  }

  /**
   * Changes a connection in one transaction. All jobs of the connection end before the transaction
   * and go on after it. Throws when the jobs do not end in time.
   */
  async function changeBetweenJobs (
    id: string,
    { waitMs, expectedVersion }: { waitMs: number, expectedVersion: number | undefined },
    work: (connection: Connection, transaction: Transaction) => Promise<void>
  ): Promise<Connection> {
    return drain({ connectionId: id, waitMs }, async endMark => {
      const connection = await database.transaction(async transaction => {
        await endMark(transaction.query)
        const connection = await lock(transaction.em, id, expectedVersion)
        await work(connection, transaction)
        return connection
      })
      await onChanged(connection)
      return connection
    })
  }

  /**
   * Changes what is stored beside a connection in one transaction. The version grows with it, so
   * that every process reads the connection again.
   */
  async function renew (
    id: string,
    work: (connection: Connection, transaction: Transaction) => Promise<void>
  ): Promise<void> {
    const changed = await database.transaction(async transaction => {
      const connection = await lock(transaction.em, id)
      await work(connection, transaction)
      // When the clock stands still, the same `updatedAt` would leave the row unchanged, and its
      // version would not grow.
      transaction.em.assign(connection, {
        updatedAt: new Date(Math.max(now().getTime(), connection.updatedAt.getTime() + 1))
      })
      return connection
    })
    await onChanged(changed)
  }

  /** Disables a connection. A connection that is already disabled stays as it is. */
  async function disable (id: string, expectedVersion?: number): Promise<Connection> {
    const connection = await database.transaction(async ({ em }) => {
      const connection = await lock(em, id, expectedVersion)
      if (connection.status !== 'disabled') {
        em.assign(connection, { status: 'disabled', statusReason: null, updatedAt: now() })
      }
      return connection
    })
    // Announce the change for a connection that was already disabled, too: an earlier request may
    // have committed and then failed before the webhook gate learned of it.
    await onChanged(connection)
    return connection
  }

  /** The platform accepted the credentials: a connection in status `error` becomes active again. */
  async function resume (id: string): Promise<void> {
    const changed = await database.transaction(async ({ em }) => {
      const connection = await lock(em, id)
      if (connection.status !== 'error') return undefined
      em.assign(connection, { status: 'active', statusReason: null, updatedAt: now() })
      return connection
    })
    if (changed !== undefined) await onChanged(changed)
  }

  /**
   * The platform refused the credentials: an active connection gets the status `error`. The status
   * stays when the stored credentials are no longer those of `credentialsVersion`: the new ones may
   * be good, and then nothing would make the connection active again.
   */
  async function suspend (id: string, reason: string, credentialsVersion: string | undefined): Promise<void> {
    const changed = await database.transaction(async ({ em }) => {
      const connection = await lock(em, id)
      if (connection.status !== 'active') return undefined
      if (credentialsVersion !== undefined && credentialsVersion !== await versionOf(em, connection)) return undefined
      em.assign(connection, { status: 'error', statusReason: reason, updatedAt: now() })
      return connection
    })
    if (changed !== undefined) await onChanged(changed)
  }

  async function versionOf (em: EntityManager, { credentialsRef }: Connection): Promise<string> {
    return credentialsVersionOf(
      credentialsRef,
      typeof credentialsRef === 'string' ? await credentials.read(em, credentialsRef) : undefined
    )
  }

  async function replaceCredentials (
    id: string,
    value: unknown,
    { values = {}, expectedVersion }: Pick<Kept, 'values'> & { expectedVersion?: number | undefined } = {}
  ): Promise<Connection> {
    const { adapterKey, adapterVersion } = await get(id)
    // Ask the adapter outside the transaction: the adapter may be in another thread, and no
    // transaction must wait for it.
    const plain = await checkCredentials(registry.resolve(adapterKey, adapterVersion), value)
    const changed = await database.transaction(async ({ em, query }) => {
      const connection = await lock(em, id, expectedVersion)
      await writeValues(query, id, values)
      const credentialsRef = await credentials.replace(
        em,
        connection.credentialsRef ?? undefined,
        connection.platformType,
        plain,
        labelOf(connection.config)
      )
      em.assign(connection, {
        credentialsRef,
        updatedAt: now(),
        ...(connection.status === 'error' ? { status: 'active', statusReason: null } : {})
      })
      return connection
    }).catch((error: unknown) => {
      throw toStoreFailure(error)
    })
    await onChanged(changed)
    return changed
  }

  /**
   * Stores credentials that an adapter made from `replaces`, unless other credentials were stored
   * meanwhile. Returns whether it stored them.
   */
  async function renewCredentials (id: string, value: unknown, replaces: unknown): Promise<boolean> {
    const { adapterKey, adapterVersion } = await get(id)
    const plain = await checkCredentials(registry.resolve(adapterKey, adapterVersion), value)
    const changed = await database.transaction(async ({ em }) => {
      const connection = await lock(em, id)
      const { credentialsRef } = connection
      if (
        typeof credentialsRef !== 'string' ||
        !isDeepStrictEqual((await credentials.read(em, credentialsRef)).plain, replaces)
      ) return undefined
      await credentials.replace(em, credentialsRef, connection.platformType, plain)
      em.assign(connection, { updatedAt: now() })
      return connection
    })
    if (changed !== undefined) await onChanged(changed)
    return changed !== undefined
  }

  return {
    find,
    get,
    getEnabled,
    list,
    create,
    patch,
    changeBetweenJobs,
    renew,
    disable,
    resume,
    suspend,
    replaceCredentials,
    renewCredentials,
    ...createOpening({ database, credentials, registry, get }),
    ...createRedaction({ database, credentials, registry })
  }
}

const labelPattern = /^[A-Za-z0-9]{1,32}$/

/**
 * Returns the label for `credentialsRef`: the environment of the connection, when it has one
 * (specification, section 2.3).
 */
function labelOf ({ environment }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof environment === 'string' && labelPattern.test(environment) ? environment : undefined
}

/**
 * Whether a patch changes the adapter key or version of the connection. A patch may name the
 * present ones and change nothing.
 */
function isMove (
  connection: Connection,
  { adapterKey = connection.adapterKey, adapterVersion }: ConnectionPatch
): boolean {
  return adapterKey !== connection.adapterKey ||
    (adapterVersion !== undefined && adapterVersion !== connection.adapterVersion)
}

/** Throws when the connection has changed since the caller read it. */
export function checkVersion ({ version }: Connection, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw new PreconditionFailedError()
}

/**
 * Another request may insert the same row between our read and our insert. Our second read then
 * finds that row.
 */
async function repeatOnceOnDuplicate<Result> (work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return work()
  }
}

function found (id: string, connection: Connection | null | undefined): Connection {
  if (connection === null || connection === undefined) throw new ConnectionNotFoundException(id)
  return connection
}

function refuseWrongCredentialMembers (adapter: LoadedAdapter, body: ConnectionBody): void {
  const given = [body.credentials, body.credentialsRef].filter(value => value !== undefined).length
  const wanted = needsNoCredentials(adapter) ? 0 : 1
  if (given === wanted) return
  const message = wanted === 0
    ? `are not used by ${adapter.manifest.adapterKey}`
    : 'is required: exactly one of `credentials` and `credentialsRef`'
  refuse([{ pointer: '/credentials', code: wanted === 0 ? 'unexpected' : 'required', message }])
}

export default fp<{ now: () => Date, onChanged: (connection: Connection) => Promise<void> }>(
  async (app, { now, onChanged }) => {
    app.decorate(
      'connections',
      createConnections({
        database: app.database,
        credentials: app.credentials,
        registry: app.adapters.registry,
        now,
        onChanged
      })
    )
  },
  { name: 'connections', dependencies: ['database', 'credentials', 'adapters'] }
)
