import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What tells one list of migrations from another. */
type Migrations = readonly { name: string, class: { prototype: { up(): unknown } } }[]

/** Both `src/` and `dist/` of the package have this folder at the same depth. */
const folder = new URL('../../../blank-database/', import.meta.url)

/**
 * Returns the path of the archive that holds a migrated database without rows. Its name says which
 * PGlite made it, and from which migrations: another PGlite cannot read it, and other migrations
 * leave another schema.
 */
export function archiveOf (migrations: Migrations): string {
  return fileURLToPath(new URL(`${stampOf(migrations)}.tar.gz`, folder))
}

function stampOf (migrations: Migrations): string {
  const hash = createHash('sha256')
  for (const { name, class: { prototype } } of migrations) hash.update(`${name} ${textOf(prototype.up)}\n`)
  return `pglite-${pgliteVersion()}-${hash.digest('hex').slice(0, 16)}`
}

/** The compiler lays code out anew, so the text of a migration must not depend on its layout. */
function textOf (up: () => unknown): string {
  return String(up).replaceAll(/[\s;]+/g, '')
}

function pgliteVersion (): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return (JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8')) as { version: string }).version
}
