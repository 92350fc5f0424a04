import type { SchemaProblem } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Transaction } from '../database/database.ts'
import { adapterFor, keptOf } from './adapter-for.ts'
import type { ConnectionState } from './describe-changes.ts'
import type { Drain } from './drain.ts'
import type { Connection } from './entity.ts'
import { mergeConfig } from './merge-config.ts'
import { takeSnapshot } from './moves/store.ts'
import type { ConnectionPatch } from './schemas.ts'
import { findMisfits, mergeSettings } from './settings/rules.ts'
import { settingDefaults, type ConnectionSettings } from './settings/schema.ts'
import { setMembers } from './store.ts'
import { checkVersion, type Circumstances, type Update } from './update.ts'
import { checkCapabilities, checkConfig, findAdapterProblems, refuse } from './validate.ts'

export interface Changed {
  connection: Connection
  warnings: SchemaProblem[]
}

export interface PatchOptions {
  update: Update
  drain: Drain
  registry: Registry
  get(id: string): Promise<Connection>
  now: () => Date
  /**
   * Called in the transaction when a connection begins or ceases to sell what the shop switched
   * off: its offers need other quantities.
   */
  onSalesRule(transaction: Transaction, connection: Pick<Connection, 'id'>): Promise<void>
}

type Members = Partial<Connection> & Pick<Connection, 'settings'>

export interface BetweenJobs extends Pick<Circumstances, 'expectedVersion'> {
  waitMs: number
  /** Absent: a move. */
  action?: Circumstances['action']
}

export type Patching = ReturnType<typeof createPatch>

const moveWaitMs = 30_000

/** Changes the settings of connections. */
export function createPatch ({ update, drain, registry, get, now, onSalesRule }: PatchOptions) {
  /**
   * A patch that names another adapter key or version is a move: the hub makes it between two jobs,
   * and it can be rolled back.
   */
  async function patch (id: string, body: ConnectionPatch, expectedVersion?: number): Promise<Changed> {
    const current = await get(id)
    await refuseUnusable(current, body)
    if (!isMove(current, body)) {
      // Start again when the patch became a move: the checks so far are of another version.
      return await change(id, body, expectedVersion) ?? patch(id, body, expectedVersion)
    }
    // Check before the move waits for jobs: a client with an old version gets its refusal at once.
    checkVersion(current, expectedVersion)
    applyPatch(current, body)
    let warnings: SchemaProblem[] = []
    const connection = await changeBetweenJobs(
      id,
      { waitMs: moveWaitMs, expectedVersion, action: actionOf },
      async (connection, transaction) => {
        const { query } = transaction
        const applied = applyPatch(connection, body)
        const { adapterKey = connection.adapterKey, adapterVersion = null } = applied.members
        warnings = applied.warnings
        // Another patch may have made this move: a snapshot would have nothing to roll back to.
        if (isMove(connection, body)) await takeSnapshot(query, id, { adapterKey, adapterVersion })
        await store(transaction, connection, applied.members)
      }
    )
    return { connection, warnings }
  }

  /**
   * Changes a connection that keeps its adapter version. Returns undefined and changes nothing when
   * the connection was moved since it was read, so that the patch is a move by now.
   */
  async function change (id: string, body: ConnectionPatch, expectedVersion?: number): Promise<Changed | undefined> {
    let warnings: SchemaProblem[] = []
    const { connection, isChanged } = await update(id, async (connection, transaction) => {
      if (isMove(connection, body)) return false
      const applied = applyPatch(connection, body)
      warnings = applied.warnings
      await store(transaction, connection, applied.members)
    }, { action: actionOf, expectedVersion })
    return isChanged ? { connection, warnings } : undefined
  }

  async function store (transaction: Transaction, connection: Connection, members: Members): Promise<void> {
    const isNewRule = sellsInactive(connection.settings) !== sellsInactive(members.settings)
    setMembers(transaction.em, connection, members)
    if (isNewRule) await onSalesRule(transaction, connection)
  }

  /**
   * Asks the adapter outside the transaction: the adapter may be in another thread, and no
   * transaction must wait for it.
   */
  async function refuseUnusable (connection: Connection, body: ConnectionPatch): Promise<void> {
    const { adapter, config } = patchedConfig(connection, body)
    if (adapter === undefined) return
    checkConfig(adapter, config)
    refuse(await findAdapterProblems(adapter, config))
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
    const needsAdapter = body.config !== undefined || isNewKey(connection, body) ||
      body.adapterVersion !== undefined || body.capabilities !== undefined
    if (!needsAdapter) return { config }
    const { platformType, adapterKey } = connection
    const version = versionAfter(connection, body)
    return { adapter: adapterFor(registry, platformType, body.adapterKey ?? adapterKey, version), config }
  }

  /**
   * Returns the connection's members after the patch. Throws when the config does not fit the
   * adapter.
   */
  function applyPatch (
    connection: Connection,
    body: ConnectionPatch
  ): { members: Members, warnings: SchemaProblem[] } {
    const { adapter, config } = patchedConfig(connection, body)
    const warnings = adapter === undefined ? [] : checkConfig(adapter, config)
    const capabilities = adapter === undefined ? connection.capabilities : checkCapabilities(
      adapter,
      body.capabilities ?? connection.capabilities.filter(name => adapter.supportedCapabilities.includes(name))
    )
    const { settings = {} } = body
    refuse(findMisfits(settings, capabilities))
    const members = {
      name: body.name ?? connection.name,
      status: body.status ?? connection.status,
      statusReason: (body.status ?? connection.status) === connection.status ? connection.statusReason : null,
      config,
      settings: mergeSettings(connection.settings, settings),
      updatedAt: now(),
      ...(adapter === undefined ? {} : {
        adapterKey: adapter.manifest.adapterKey,
        adapterVersion: versionAfter(connection, body, adapter.version),
        capabilities,
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
    { waitMs, expectedVersion, action = 'connection.move' }: BetweenJobs,
    change: (connection: Connection, transaction: Transaction) => Promise<void>
  ): Promise<Connection> {
    return drain({ connectionId: id, waitMs }, async endHold => {
      const { connection } = await update(id, async (connection, transaction) => {
        await endHold(transaction.query)
        await change(connection, transaction)
      }, { action, expectedVersion })
      return connection
    })
  }

  /**
   * Changes what is stored beside a connection in one transaction. The version grows with it, so
   * that every process reads the connection again. The audit names the change by `action`.
   */
  async function renew (
    id: string,
    action: AuditAction,
    change: (connection: Connection, transaction: Transaction) => Promise<void>
  ): Promise<void> {
    await update(id, async (connection, transaction) => {
      await change(connection, transaction)
      // When the clock stands still, the same `updatedAt` would leave the row unchanged, and its
      // version would not grow.
      setMembers(transaction.em, connection, {
        updatedAt: new Date(Math.max(now().getTime(), connection.updatedAt.getTime() + 1))
      })
    }, { action, isHidden: true })
  }

  return { patch, changeBetweenJobs, renew }
}

/**
 * The name of a patch in the audit, by what it changed. A patch of the status has the name of the
 * request for it.
 */
function actionOf (before: ConnectionState, after: ConnectionState): AuditAction {
  if (versionOf(before) !== versionOf(after)) return 'connection.move'
  if (before.status === after.status) return 'connection.change'
  return after.status === 'disabled' ? 'connection.disable' : 'connection.enable'
}

function versionOf ({ adapterKey, adapterVersion }: ConnectionState): string {
  return `${adapterKey}@${adapterVersion ?? 'latest'}`
}

function sellsInactive (settings: ConnectionSettings): boolean {
  return settings.sellsInactive ?? settingDefaults.sellsInactive
}

/**
 * Whether a patch changes the adapter key or version of the connection. A patch may name the
 * present ones and change nothing.
 */
function isMove (connection: Connection, body: ConnectionPatch): boolean {
  const { adapterVersion } = body
  return isNewKey(connection, body) || (adapterVersion !== undefined && adapterVersion !== connection.adapterVersion)
}

/** The present key is no new one: a patch that names it keeps the version, too. */
function isNewKey (connection: Connection, { adapterKey }: ConnectionPatch): boolean {
  return adapterKey !== undefined && adapterKey !== connection.adapterKey
}

/**
 * The version that a connection names after a patch: a new key starts at `first`. Null stands for
 * the newest one.
 */
function versionAfter (
  connection: Connection,
  body: ConnectionPatch,
  first: string | null = null
): Connection['adapterVersion'] {
  return body.adapterVersion ?? (isNewKey(connection, body) ? first : connection.adapterVersion)
}
