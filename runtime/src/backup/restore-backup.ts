import type { Redis } from 'ioredis'
import { endAllSessions } from '../access/store.ts'
import type { Query } from '../database/database.ts'
import { NewerBackupError, RestoreTargetError } from '../errors.ts'
import { returnRunningJobs } from '../jobs/queue/store.ts'
import { recordRestore } from '../orders/restores/store.ts'
import { skipLostVersions } from '../stock/store.ts'
import { messageColumns, type MessageRow } from '../streams/stored/message.ts'
import { clearRedis, findRedisContents, writeRedisMessages } from '../streams/stored/write-redis.ts'
import type { Header, Piece, Totals } from './archive.ts'
import { messagesTable, sequencesSection, unknownMigrations } from './plan.ts'
import {
  clearTablesOfNewHub,
  continueSequence,
  findFilledTables,
  insert,
  readTables,
  waitForArchive,
  type Row,
  type Table
} from './store.ts'

export interface RestoreTarget {
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  redis?: Redis
}

export interface Restored extends Totals {
  /** Tables of another program, which this hub does not know. */
  leftOut: readonly string[]
}

export interface RestoreWork {
  header: Header
  pieces: AsyncIterable<Piece>
  now: Date
  /** Whether no hub went on after the backup was taken, so that its state forgets nothing. */
  isComplete?: boolean
  onStep?: (step: string) => void
}

/** Whether the tables of a backup have one for restores. */
export function hasRestores ({ migrations }: Header): boolean {
  return migrations.includes('0031-restores')
}

/** Throws `LNK_BACKUP_NEWER` when this hub does not know the tables of the backup. */
export function checkVersion ({ hubVersion, migrations }: Header): void {
  if (unknownMigrations(migrations).length > 0) throw new NewerBackupError(hubVersion)
}

/**
 * Writes the pieces of a backup into an empty target, whose tables are those of the backup. Writes
 * everything or nothing. What belonged to the processes of the old hub ends: sessions, and claims
 * of running jobs.
 */
export async function restoreBackup (
  { transaction, redis }: RestoreTarget,
  { header, pieces, now, isComplete = false, onStep = () => undefined }: RestoreWork
): Promise<Restored> {
  const held = redis === undefined ? undefined : await findRedisContents(redis)
  if (held !== undefined) {
    throw new RestoreTargetError(`Redis is not empty: it has ${held}. Name another database of it`)
  }
  try {
    return await transaction(async query => {
      await waitForArchive(query)
      const filled = await findFilledTables(query)
      if (filled.length > 0) throw notEmpty(filled)
      await clearTablesOfNewHub(query)
      const restored = await restoreAll({ query, redis, pieces, now, onStep })
      await returnRunningJobs(query)
      await endAllSessions(query)
      if (!isComplete && hasRestores(header)) await recordRestore(query, header.takenAt)
      if (!isComplete) await skipLostVersions(query)
      return restored
    })
  } catch (error) {
    if (redis !== undefined) await clearRedis(redis)
    throw error
  }
}

const mostNamed = 5

export function notEmpty (filled: readonly string[]): Error {
  const more = filled.length - mostNamed
  return new RestoreTargetError(`The database is not empty: it has rows in ${filled.slice(0, mostNamed).join(', ')}${
    more > 0 ? ` and ${more} more tables` : ''
  }. Restore into a new database`)
}

interface Work {
  query: Query
  redis: Redis | undefined
  pieces: AsyncIterable<Piece>
  now: Date
  onStep: (step: string) => void
}

async function restoreAll ({ query, redis, pieces, now, onStep }: Work): Promise<Restored> {
  const tables = new Map((await readTables(query)).map(table => [table.name, table]))
  const leftOut: string[] = []
  let totals: Totals = { sections: 0, rows: 0 }
  let write = async (_rows: readonly Row[]): Promise<void> => undefined

  function writerOf (name: string, columns: readonly string[]): typeof write {
    if (name === sequencesSection) return rows => continueSequences(query, rows)
    if (name === messagesTable && redis !== undefined) {
      return rows => writeRedisMessages(redis, rows.map(row => messageOf(columns, row)), now)
    }
    const table = tables.get(name)
    if (table === undefined) {
      leftOut.push(name)
      return async () => undefined
    }
    const chosen = choose(table, columns)
    return rows => insert(query, chosen, rows, name === messagesTable)
  }

  for await (const piece of pieces) {
    if (piece.kind === 'section') {
      onStep(piece.name)
      write = writerOf(piece.name, piece.columns)
    } else if (piece.kind === 'rows') await write(piece.rows)
    else if (piece.kind === 'end') totals = piece.totals
  }
  return { ...totals, leftOut }
}

async function continueSequences (query: Query, rows: readonly Row[]): Promise<void> {
  for (const row of rows) await continueSequence(query, row)
}

/** The columns of a table in the order of the backup. */
function choose ({ name, columns }: Table, wanted: readonly string[]): Table {
  const byName = new Map(columns.map(column => [column.name, column]))
  return {
    name,
    columns: wanted.map(column => {
      const found = byName.get(column)
      if (found === undefined) throw new RestoreTargetError(`The table ${name} of the target has no column ${column}`)
      return found
    })
  }
}

/** Later versions may order the columns in another way. */
function messageOf (columns: readonly string[], row: Row): MessageRow {
  const valueOf = (name: string): string | null => row[columns.indexOf(name)] ?? null
  const [stream, key, fields, connection, publishedAt, expiresAt, ackedAt] = messageColumns.map(valueOf)
  return [
    stream ?? '',
    key ?? null,
    fields ?? '{}',
    connection ?? null,
    publishedAt ?? '',
    expiresAt ?? '',
    ackedAt ?? null
  ]
}
