import type { Config } from '../../config.ts'
import type { Query } from '../../database/database.ts'
import { hasTables } from '../../database/has-tables.ts'
import { compareMigrations } from '../../database/migrate.ts'
import type { System } from '../../system/schemas.ts'
import { isProcess } from '../../system/store.ts'
import { failed, ok, warning, type Finding } from './finding.ts'
import type { OpenedDatabase } from './servers.ts'

const check = 'database'

/** Says what the next start would do to the tables: nothing, change them, or refuse them. */
export async function checkSchema ({ dataDirectory }: Config, { query }: OpenedDatabase): Promise<Finding[]> {
  const found = query === undefined ? undefined : await compareMigrations(query)
  if (found === undefined) return []
  if (found.refusal !== undefined) {
    return [failed(check, found.refusal, 'start the newer hub, or go back with `linker restore`')]
  }
  return found.missing.length === 0
    ? []
    : [
      ok(
        check,
        `the next start changes its tables (${found.missing.join(', ')}), and first writes a backup into ` +
          dataDirectory
      )
    ]
}

/** Warns when the running hub keeps its processes in another database than this one. */
export async function checkSameDatabase (
  { processes }: Pick<System, 'processes'>,
  query: Query | undefined
): Promise<Finding[]> {
  const asked = processes.find(({ answers }) => answers)
  if (query === undefined || asked === undefined) return []
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
