import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asError } from '../as-error.ts'
import { DatabaseUnfitError } from '../errors.ts'

/** Longest wait for a session and its first answer. A pooler lets a client wait for minutes. */
const patienceMs = 10_000
/** Longest time until a pooler has reset a session whose client has gone. */
const resetMs = 10_000
const lookEveryMs = 50

type Open = () => pg.Client

interface Facts {
  pid: number
  encoding: string
  replication: string
  isReadOnly: boolean
}

const selectFacts = `
  select pg_backend_pid() as pid, current_setting('server_encoding') as encoding,
    current_setting('session_replication_role') as replication,
    current_setting('transaction_read_only')::boolean as "isReadOnly"`

/** $1, $2: the lock. */
const takeLock = 'select pg_backend_pid() as pid, pg_advisory_lock($1, $2)'

/** $1, $2: the lock; $3: the session that took it. */
const selectLock = `
  select pg_backend_pid() as pid, exists (
    select from pg_locks
    where locktype = 'advisory' and classid = $1::oid and objid = $2::oid and pid = $3
  ) as "isHeld"`

/** Gives the lock back if this is the session that took it. Keeps the session for a moment. */
const freeLock = 'select case when pg_backend_pid() = $3 then pg_advisory_unlock($1, $2) end, pg_sleep(0.2)'

export interface Examined {
  /** Connected, with its session as it was. */
  client: pg.Client
  /** Whether a pooler is before PostgreSQL. */
  isPooled: boolean
  isReadOnly: boolean
  /** Says why no hub may write into the database. It can be read. */
  unfit: Error | undefined
  /** Says that the pooler gave fewer sessions than wanted. */
  shortage: Error | undefined
}

/**
 * Connects to a server and finds out whether its database can serve a hub, and whether a pooler
 * gives `wanted` sessions at the same time. Throws `LNK_DATABASE_UNFIT` when a pooler gives no
 * session of its own, because settings would then reach other clients.
 */
export async function openExamined (place: pg.ClientConfig, wanted: number): Promise<Examined> {
  const open: Open = () => {
    const client = new pg.Client({ connectionTimeoutMillis: patienceMs, ...place })
    // Without a listener Node would end the process when the server goes away. The query that fails
    // reports it.
    client.on('error', () => undefined)
    return client
  }
  const client = open()
  try {
    await client.connect()
    return { client, ...await examine(client, open, wanted) }
  } catch (error) {
    part(client)
    throw error
  }
}

/** Ends a connection without waiting: a server that is silent by now would never answer. */
export function part (client: pg.Client): void {
  client.end().catch(() => undefined)
}

/** Changes nothing in a session, because another client of a pooler may get it next. */
async function examine (client: pg.Client, open: Open, wanted: number): Promise<Omit<Examined, 'client'>> {
  const { pid, isReadOnly, ...facts } = await ask<Facts>(client, selectFacts)
  const unfit = findUnfit(facts)
  // A pooler gives out numbers of its own, because clients send it their cancellations.
  const isPooled = !('processID' in client && client.processID === pid)
  if (isPooled) await requireOwnSession(client, pid, open)
  return { isPooled, isReadOnly, unfit, shortage: isPooled ? await findShortage(open, wanted) : undefined }
}

function findUnfit ({ encoding, replication }: Pick<Facts, 'encoding' | 'replication'>): Error | undefined {
  if (encoding !== 'UTF8') {
    return new DatabaseUnfitError(`its encoding is ${encoding}, which cannot keep every text. Create a database with ` +
      "`encoding 'UTF8' template template0`; if this one is in use, restore a backup into that one")
  }
  if (replication !== 'origin') {
    return new DatabaseUnfitError(`session_replication_role is ${replication}, so PostgreSQL checks no foreign keys. ` +
      'Reset it for the database and the role')
  }
  return undefined
}

async function findShortage (open: Open, wanted: number): Promise<Error | undefined> {
  // The session of the caller is one of them.
  const clients = Array.from({ length: wanted - 1 }, open)
  const opened = await Promise.allSettled(clients.map(async client => {
    await client.connect()
    await ask(client, 'select 1 as one')
  }))
  for (const client of clients) part(client)
  const reasons = opened.flatMap(result => result.status === 'rejected' ? [asError(result.reason).message] : [])
  if (reasons.length === 0) return undefined
  return new DatabaseUnfitError(`its pooler gave only ${wanted - reasons.length} of the ${wanted} sessions that a ` +
    `process of the hub uses at the same time (${reasons[0]}). Give its pool ${wanted} for each process`)
}

/**
 * A lock of a session shows whose the session is. If the pooler gives it to others between two
 * transactions, another client gets the session that has the lock, or the lock has gone, or it is
 * still there when its client has gone.
 */
async function requireOwnSession (client: pg.Client, pid: number, open: Open): Promise<void> {
  const lock = [randomInt(2 ** 31), randomInt(2 ** 31)]
  const other = open()
  let holder = 0
  const look = (from: pg.Client) => ask<{ pid: number, isHeld: boolean }>(from, selectLock, [...lock, holder])
  try {
    await other.connect()
    holder = (await ask<{ pid: number }>(other, takeLock, lock)).pid
    const [seen, again] = [await look(client), await look(other)]
    const isOwn = seen.pid === pid && again.pid === holder && pid !== holder && seen.isHeld && again.isHeld
    if (!isOwn) {
      await free(open, [...lock, holder])
      throw notOwn('gives the hub another session for each transaction')
    }
  } finally {
    part(other)
  }
  for (const end = performance.now() + resetMs; (await look(client)).isHeld; await sleep(lookEveryMs)) {
    if (performance.now() < end) continue
    await free(open, [...lock, holder])
    throw notOwn('keeps the locks and settings of a client that has gone')
  }
}

function notOwn (fault: string): Error {
  return new DatabaseUnfitError(`its pooler ${fault}, and the hub needs sessions of its own. Set pool_mode = session ` +
    'and server_reset_query = DISCARD ALL (PgBouncer), or let DATABASE_URL name PostgreSQL itself')
}

/** Clients that look for the session with the lock at the same time. */
const seekers = 20

/** A lock that stays would take memory of the server until the pooler ends its session. */
async function free (open: Open, lock: readonly number[]): Promise<void> {
  const clients = Array.from({ length: seekers }, open)
  await Promise.allSettled(clients.map(async client => {
    await client.connect()
    await ask(client, freeLock, lock)
  }))
  for (const client of clients) part(client)
}

/** Runs a statement that returns one row. */
async function ask<Row extends object> (
  client: pg.Client,
  text: string,
  values: readonly number[] = []
): Promise<Row> {
  const query: pg.QueryConfig & pg.ClientConfig = { text, values: [...values], query_timeout: patienceMs }
  const { rows: [row] } = await client.query<Row>(query).catch((error: unknown) => {
    throw asError(error).message === 'Query read timeout'
      ? new DatabaseUnfitError(`neither PostgreSQL nor a pooler before it gave a session within ${patienceMs} ms`)
      : error
  })
  if (row === undefined) throw new TypeError('the server returned no row')
  return row
}
