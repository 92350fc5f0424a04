import type { Redis } from 'ioredis'
import type { Writable } from 'node:stream'
import { countPlainSecrets } from '../credentials/store.ts'
import type { Query } from '../database/database.ts'
import { readMigrations } from '../database/migrate.ts'
import { BackupSourceError } from '../errors.ts'
import { packageJson } from '../package-folder.ts'
import { messageColumns, neededMessages, type MessageRow } from '../streams/stored/message.ts'
import { readRedisMessages } from '../streams/stored/read-redis.ts'
import { createArchive, type ArchiveWriter, type Header, type Totals } from './archive.ts'
import { columnsOf, isCopiedSequence, messagesTable, sequenceColumns, sequencesSection } from './plan.ts'
import { begin, readLines, readSequences, readTables } from './store.ts'

export interface BackupSource {
  mode: Header['mode']
  query: Query
  /** Runs work in one transaction. */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  /** Absent: the streams are a table. */
  redis?: Redis
}

export interface Written extends Totals {
  header: Header
}

/**
 * Writes a backup into a stream and leaves the stream open. Hubs go on working meanwhile. Reads
 * Redis before it takes the snapshot of the database, because messages move in this direction.
 */
export async function writeBackup (
  { mode, query, transaction, redis }: BackupSource,
  stream: Writable,
  now: Date,
  onStep: (step: string) => void = () => undefined
): Promise<Written> {
  const migrations = await readMigrations(query)
  if (migrations.length === 0) throw new BackupSourceError('the database has no tables of a hub')
  const header: Header = {
    hubVersion: packageJson.version,
    takenAt: now.toISOString(),
    mode,
    migrations,
    plainSecrets: await countPlainSecrets(query)
  }
  const archive = await createArchive(stream, header)
  if (redis !== undefined) {
    onStep('Redis')
    await archive.section(messagesTable, messageColumns, toLines(readRedisMessages(redis, now)))
  }
  await transaction(async inSnapshot => {
    await begin(inSnapshot)
    if ((await readMigrations(inSnapshot)).length !== migrations.length) {
      throw new BackupSourceError('another process is bringing the database up to date; try again later')
    }
    await writeTables(archive, inSnapshot, onStep)
  })
  return { header, ...await archive.end() }
}

async function writeTables (archive: ArchiveWriter, query: Query, onStep: (step: string) => void): Promise<void> {
  for (const { name, columns } of await readTables(query)) {
    const copied = columnsOf(name, columns.map(column => column.name))
    onStep(name)
    await archive.section(name, copied, readLines(query, name, copied, conditionOf(name)))
  }
  const sequences = await readSequences(query)
  await archive.section(
    sequencesSection,
    sequenceColumns,
    toLines(once(sequences.filter(([name = '']) => isCopiedSequence(name))))
  )
}

function conditionOf (table: string): string | undefined {
  return table === messagesTable ? neededMessages : undefined
}

async function* once<Item> (item: Item): AsyncGenerator<Item> {
  yield item
}

async function* toLines (batches: AsyncIterable<readonly (MessageRow | readonly string[])[]>): AsyncGenerator<
  string[]
> {
  for await (const batch of batches) if (batch.length > 0) yield batch.map(row => JSON.stringify(row))
}
