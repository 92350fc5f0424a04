import type { Config } from '../../config.ts'
import { hasTables } from '../../database/has-tables.ts'
import { compareMigrations } from '../../database/migrate.ts'
import type { System } from '../../system/schemas.ts'
import { isProcess } from '../../system/store.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'
import type { OpenedDatabase } from './servers.ts'

const check = 'database'

/** Says what the next start would do to the tables: nothing, change them, or refuse them. */
export async function checkSchema (
  { dataDirectory, backsUpBeforeUpgrade }: Pick<Config, 'dataDirectory' | 'backsUpBeforeUpgrade'>,
  { query }: OpenedDatabase
): Promise<Finding[]> {
  try {
    const found = query === undefined ? undefined : await compareMigrations(query)
    if (found === undefined) return []
    if (found.refusal !== undefined) return [failed(check, found.refusal.message, 'start the newer hub, or go back')]
    const backup = backsUpBeforeUpgrade
      ? `after a backup into ${dataDirectory}`
      : 'without a backup (LINKER_UPGRADE_BACKUP=off)'
    const { missing } = found
    return missing.length === 0
      ? []
      : [ok(check, `the next start runs these migrations, ${backup}: ${missing.join(', ')}`)]
  } catch (error) {
    return [
      failed(check, `cannot read its migrations: ${messageOf(error)}`, 'let the role of the hub read linker_migrations')
    ]
  }
}

/**
 * Warns when the running hub keeps its processes in another database server or database. Of an
 * embedded database, the data directory tells the same.
 */
export async function checkSameDatabase (
  { mode, processes }: Pick<System, 'mode' | 'processes'>,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { query }: OpenedDatabase
): Promise<Finding[]> {
  const asked = processes.find(({ answers }) => answers)
  if (mode === 'embedded' || databaseUrl === undefined || query === undefined || asked === undefined) return []
  return await hasTables(query, ['processes']) && await isProcess(query, asked.id)
    ? []
    : [
      warning(
        'hub',
        'the running hub uses another database than the next start from here',
        'set DATABASE_URL as for the running hub, or pass --url of the hub of this database'
      )
    ]
}
