import { Account, AdapterErrorCode, isAdapterError, TransientError } from '@linker/sdk'
import type { ConnectionSnapshot } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import { createHmac } from 'node:crypto'
import type { Adapters } from '../../adapters/adapters.ts'
import type { CallOptions } from '../../adapters/call-options.ts'
import type { LoadedAdapter } from '../../adapters/load.ts'
import { parseAnswer } from '../../adapters/parse-answer.ts'
import { repeatOnceOnDuplicate } from '../../database/conflict.ts'
import type { Database, Query } from '../../database/database.ts'
import { AccountConnectedError, AccountDiffersError } from '../../errors.ts'
import type { AccountShared, Connection } from '../entity.ts'
import type { OpenConnection } from '../open-connection.ts'
import { setMembers } from '../store.ts'
import type { Update } from '../update.ts'
import {
  findFormer,
  findHolder,
  hasUnknown,
  isAlone,
  readAccountKey,
  type FormerConnection,
  type NamedConnection
} from './store.ts'

const askTimeoutMs = 10_000

/** Errors of an adapter that end a job without another attempt. */
const deadly: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.configuration
])

/** An account as a connection stores it. */
export interface KnownAccount {
  id: string
  /** Null: its name is that of a person. */
  name: string | null
}

export interface AccountsOptions {
  database: Database
  adapters: Pick<Adapters, 'call' | 'beginTrial'>
  update: Update
  log: { info(fields: object, message: string): void, warn(fields: object, message: string): void }
}

/** The members of a connection that say which account it opens. */
export type AccountMembers = Pick<Connection, 'accountId' | 'accountName' | 'accountShared' | 'ordersSince'>

/** Finds out which accounts connections open, and what belongs together by that. */
export function createAccounts ({ database, adapters, update, log }: AccountsOptions) {
  const { query } = database
  /** Questions under way by the version of the connection, and answers that name no account. */
  const answers = new LRUCache<string, Promise<KnownAccount | undefined>>({ max: 10_000 })

  async function ask (
    adapter: LoadedAdapter,
    snapshot: ConnectionSnapshot,
    keep?: CallOptions['keep']
  ): Promise<KnownAccount | undefined> {
    const answer = await adapters.call(adapter, snapshot, { kind: 'account' }, [], {
      signal: AbortSignal.timeout(askTimeoutMs),
      ...(keep === undefined ? {} : { keep })
    })
    if (answer === undefined) return undefined
    const { id, name, isPersonal = false } = parseAnswer(Account, 'account', answer)
    if (!isPersonal) return { id, name }
    return { id: createHmac('sha256', await readAccountKey(query)).update(id).digest('base64url'), name: null }
  }

  /**
   * Asks which account settings open before they are stored. An adapter may renew credentials
   * meanwhile: the answer has those that are valid now. `account` is undefined when the platform
   * names none, or does not answer: a later test asks again.
   */
  async function askBefore (
    adapter: LoadedAdapter,
    config: Record<string, unknown>,
    credentials: Record<string, unknown> | undefined
  ): Promise<AskedBefore> {
    if (!adapter.description.hasAccount) return { account: undefined, credentials }
    const { platformType, adapterKey } = adapter.manifest
    const trial = adapters.beginTrial(credentials)
    const { connectionId: id } = trial
    const snapshot = {
      id,
      platformType,
      config,
      credentials: credentials ?? null,
      version: id,
      credentialsVersion: id
    }
    let failure: unknown
    try {
      const account = await ask(adapter, snapshot, () => undefined).catch((error: unknown) => {
        log.info({ err: error, adapter: adapterKey }, 'the platform did not name the account of new settings')
        failure = error
        return undefined
      })
      return { account, failure, credentials: trial.hasRenewed() ? await trial.readCredentials() : credentials }
    } finally {
      trial.end()
    }
  }

  /** Asks which account a stored connection opens, unless the hub knows that already. */
  async function askStored ({ connection, adapter, snapshot }: OpenConnection): Promise<KnownAccount | undefined> {
    if (!adapter.description.hasAccount || typeof connection.accountId === 'string') return undefined
    const version = `${connection.id}:${snapshot.version}`
    const asked = answers.get(version)
    if (asked !== undefined) return asked
    const answer = ask(adapter, snapshot)
    answers.set(version, answer)
    try {
      const account = await answer
      if (account !== undefined) answers.delete(version)
      return account
    } catch (error) {
      answers.delete(version)
      throw error
    }
  }

  /**
   * Stores which account a connection opens, if the hub does not know it yet. When another
   * connection opens the same account, that one keeps taking the orders.
   */
  async function store ({ id }: Connection, account: KnownAccount): Promise<Connection> {
    const { connection } = await repeatOnceOnDuplicate(() =>
      update(id, async (connection, { em, query }) => {
        if (typeof connection.accountId === 'string') return false
        const { createdAt, accountShared } = connection
        const members = await standingOf(query, connection, account, { createdAt, ifHeld: accountShared ?? 'found' })
        if (members.accountShared !== null) {
          log.warn({ connectionId: connection.id }, 'another connection opens the same account and takes its orders')
        }
        setMembers(em, connection, members)
      }, { action: 'connection.account' })
    )
    return connection
  }

  /**
   * Finds out which account a connection opens, before its orders are taken. Throws when the
   * platform does not answer, unless no other connection can be one to the same account.
   */
  async function learnForOrders (opened: OpenConnection): Promise<Connection> {
    const { connection } = opened
    try {
      const account = await askStored(opened)
      if (account !== undefined) return await store(connection, account)
      return typeof connection.accountId === 'string'
        ? await standAlone(connection)
        : { ...connection, accountShared: null }
    } catch (error) {
      if (await isAlone(query, connection)) return connection
      // A job that died of it at once would lose its order, so it tries again.
      if (!isAdapterError(error) || !deadly.has(error.code)) throw error
      throw new TransientError(`the platform did not name the account of the connection: ${error.message}`, {
        cause: error
      })
    }
  }

  /**
   * Lets a connection take the orders of its account when the one that took them is deleted: those
   * that were placed since the deletion.
   */
  async function standAlone (connection: Connection): Promise<Connection> {
    if (typeof connection.accountShared !== 'string' || await holderOf(query, connection) !== undefined) {
      return connection
    }
    const { connection: changed } = await repeatOnceOnDuplicate(() =>
      update(connection.id, async (current, { em, query }) => {
        if (typeof current.accountShared !== 'string' || await holderOf(query, current) !== undefined) return false
        const former = await findFormer(query, current.platformType, current.accountId ?? undefined)
        setMembers(em, current, { accountShared: null, ordersSince: former?.deletedAt ?? current.createdAt })
      }, { action: 'connection.account' })
    )
    return changed
  }

  /**
   * Compares the account that a stored connection opens with the one that it belongs to, as a check
   * of its test. Undefined when nobody can name the account.
   */
  async function check (opened: OpenConnection): Promise<AccountCheck | undefined> {
    const { connection, adapter, snapshot } = opened
    const startedAt = performance.now()
    const account = adapter.description.hasAccount ? await ask(adapter, snapshot).catch(() => undefined) : undefined
    if (account === undefined) return undefined
    const { accountId, accountName, accountShared } = await store(connection, account)
    const isSame = accountId === account.id
    return {
      name: 'account',
      ok: isSame,
      ms: Math.round(performance.now() - startedAt),
      hint: isSame
        ? `it opens ${nameOf(account.name)}${typeof accountShared === 'string' ? `; ${sharedHint}` : ''}`
        : new AccountDiffersError(nameOf(account.name), connection.name, nameOf(accountName)).message
    }
  }

  return { askBefore, learnForOrders, check }
}

/** The answer about settings that are not stored. */
interface AskedBefore {
  account: KnownAccount | undefined
  /** Why the platform named no account, if the call failed. */
  failure?: unknown
  credentials: Record<string, unknown> | undefined
}

async function holderOf (query: Query, connection: Connection): Promise<NamedConnection | undefined> {
  return findHolder(query, connection, connection.accountId ?? '')
}

export interface AccountCheck {
  name: 'account'
  ok: boolean
  ms: number
  hint: string
}

const sharedHint = 'another connection to this account takes its orders'

export type Accounts = ReturnType<typeof createAccounts>

export interface NewStanding {
  createdAt: Date
  /** Says whether the connection is refused or shared when another one opens the account. */
  ifHeld: AccountShared | 'refused'
  /** The deleted connection whose orders, links and cursors it takes over. */
  former?: FormerConnection | undefined
}

/**
 * Returns the members of a connection of an account, beside the connections that open it or opened
 * it. Throws when another one opens it and that is refused. A connection that may share its account
 * takes no orders while the account is unknown.
 */
export async function standingOf (
  query: Query,
  connection: Pick<Connection, 'id' | 'platformType'>,
  account: KnownAccount | undefined,
  { createdAt, ifHeld, former }: NewStanding
): Promise<AccountMembers> {
  const holder = account === undefined ? undefined : await findHolder(query, connection, account.id)
  if (holder !== undefined && ifHeld === 'refused') throw new AccountConnectedError(holder.name, holder.id)
  return {
    accountId: account?.id ?? null,
    accountName: account?.name ?? null,
    accountShared: ifHeld !== 'refused' && (holder !== undefined || account === undefined) ? ifHeld : null,
    ordersSince: former === undefined
      ? await beginningOf(query, connection, account, createdAt)
      : former.ordersSince
  }
}

/**
 * Another connection may have handled the orders that were placed before this one was made: a
 * deleted one, or one whose account the hub does not know yet.
 */
async function beginningOf (
  query: Query,
  connection: Pick<Connection, 'id' | 'platformType'>,
  account: KnownAccount | undefined,
  createdAt: Date
): Promise<Date | null> {
  const former = await findFormer(query, connection.platformType, account?.id)
  const mayBeShared = account !== undefined && await hasUnknown(query, connection)
  return former === undefined && !mayBeShared ? null : createdAt
}

/**
 * Returns the members that new credentials change. Throws when they open another account than the
 * connection does, or one that another connection opens.
 */
export async function standingWith (
  query: Query,
  connection: Connection,
  account: KnownAccount | undefined
): Promise<Partial<AccountMembers>> {
  const { name, accountId, accountName, accountShared, createdAt } = connection
  if (account === undefined || account.id === accountId) return {}
  if (typeof accountId === 'string') throw new AccountDiffersError(nameOf(account.name), name, nameOf(accountName))
  return standingOf(query, connection, account, { createdAt, ifHeld: accountShared ?? 'refused' })
}

function nameOf (account: string | null | undefined): string {
  return typeof account === 'string' ? `the account '${account}'` : 'an account of a person'
}
