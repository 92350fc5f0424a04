import { setTimeout as sleep } from 'node:timers/promises'
import { hasEmbeddedDatabase, openEmbeddedAsItIs, openServedAsItIs, type OpenedAsItIs } from '../database/as-it-is.ts'
import { openDatabase, type Database, type Query } from '../database/database.ts'
import { readMigrations } from '../database/migrate.ts'
import { migrationNames } from '../database/migration-names.ts'
import { RestoreTargetError } from '../errors.ts'
import { recordRestore } from '../orders/restores/store.ts'
import { connectProducer } from '../streams/redis-connections.ts'
import type { Header } from './archive.ts'
import type { State } from './open-source.ts'
import {
  checkVersion,
  hasRestores,
  notEmpty,
  restoreBackup,
  type Restored,
  type RestoreWork
} from './restore-backup.ts'
import { countHubs, findFilledTables } from './store.ts'
import { withoutPassword } from './without-password.ts'

const silent = { warn: () => undefined }
const asRestore = { name: 'linker-restore', statementMs: 60_000 }

/**
 * Restores a backup into the state that the settings name, in any mode. Throws
 * `LNK_RESTORE_TARGET` while a hub uses that state or when it is not empty.
 */
export async function restoreInto (
  state: State,
  work: RestoreWork
): Promise<Restored> {
  const { header } = work
  checkVersion(header)
  const isNew = state.databaseUrl === undefined && !hasEmbeddedDatabase(state.dataDirectory)
  if (!isNew) await checkTarget(state, header)
  const redis = state.redisUrl === undefined ? undefined : await connectProducer(state.redisUrl, silent)
  try {
    const database = await openDatabase({ ...state, migrations: header.migrations }, silent)
    const target = {
      transaction: <Result>(inside: (query: Query) => Promise<Result>) =>
        database.transaction(({ query }) => inside(query)),
      ...(redis === undefined ? {} : { redis })
    }
    const restored = await closing(database, () => database.patiently(() => restoreBackup(target, work)))
    await bringUpToDate(state, work)
    return restored
  } finally {
    redis?.disconnect()
  }
}

/** PostgreSQL lists the connections of a hub for a moment after the hub has closed them. */
const partingMs = 3_000
const lookEveryMs = 100

async function isUsedByHub (query: Query): Promise<boolean> {
  for (const end = performance.now() + partingMs; await countHubs(query) > 0; await sleep(lookEveryMs)) {
    if (performance.now() > end) return true
  }
  return false
}

async function checkTarget (state: State, { migrations }: Header): Promise<void> {
  const target = await openTarget(state)
  try {
    if (state.databaseUrl !== undefined && await isUsedByHub(target.query)) {
      throw new RestoreTargetError(`A hub is using the target database ${withoutPassword(state.databaseUrl)}. ` +
        'Stop all processes of that hub first')
    }
    const present = await readMigrations(target.query)
    if (present.length === 0) return
    const filled = await findFilledTables(target.query)
    if (filled.length > 0) throw notEmpty(filled)
    if (present.some(name => !migrations.includes(name))) {
      throw new RestoreTargetError('The database has the tables of a newer version of the hub than the backup. ' +
        'Restore into a new database; the hub brings it up to date')
    }
  } finally {
    await target.close()
  }
}

function openTarget ({ databaseUrl, dataDirectory }: State): Promise<OpenedAsItIs> {
  return databaseUrl === undefined
    ? openEmbeddedAsItIs(dataDirectory, asRestore)
    : openServedAsItIs(databaseUrl, asRestore)
}

async function closing<Result> (database: Database, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } finally {
    await database.close()
  }
}

/** Runs the migrations that came after the backup. */
async function bringUpToDate (state: State, { header, isComplete = false }: RestoreWork): Promise<void> {
  if (header.migrations.length === migrationNames.length) return
  const database = await openDatabase(state, silent)
  await closing(database, async () => {
    if (!isComplete && !hasRestores(header)) await recordRestore(database.query, header.takenAt)
  })
}
