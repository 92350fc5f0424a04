import { asError } from '../../as-error.ts'
import { CredentialsKeyMissingError } from '../../errors.ts'
import type { Sealing } from '../sealing.ts'
import type { RewrapResult } from './schemas.ts'
import type { SealedRow, SealedTable } from './sealed-table.ts'

const mostAtOnce = 100

export interface RewrapOptions {
  sealing: Sealing
  tables: readonly SealedTable[]
  /** Ids of the keys that stored secrets are sealed with. */
  readKeyIds(): Promise<string[]>
  isDryRun: boolean
}

type Failure = RewrapResult['failed'][number]

/**
 * Seals all stored secrets anew that are sealed with an older key, or are not encrypted. Works in
 * small steps beside the hub, which may change a secret at any time: such a change wins. Leaves a
 * secret alone that no key opens, and names it. A dry run opens the secrets and changes nothing.
 */
export async function rewrap ({ sealing, tables, readKeyIds, isDryRun }: RewrapOptions): Promise<RewrapResult> {
  const [newest] = sealing.keyIds
  if (newest === undefined) throw new CredentialsKeyMissingError()
  const failed: Failure[] = []
  const counts: RewrapResult['rewrapped'] = []
  for (const table of tables) counts.push(await rewrapTable(table, newest, { sealing, isDryRun, failed }))
  const used = isDryRun ? keysAfter(await readKeyIds(), newest, failed) : await readKeyIds()
  return {
    dryRun: isDryRun,
    keyId: newest,
    rewrapped: counts,
    failed,
    unusedKeyIds: sealing.keyIds.slice(1).filter(id => !used.includes(id))
  }
}

interface Work {
  sealing: Sealing
  isDryRun: boolean
  failed: Failure[]
}

async function rewrapTable (
  table: SealedTable,
  newest: string,
  work: Work
): Promise<RewrapResult['rewrapped'][number]> {
  let [count, unencrypted] = [0, 0]
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: SealedRow[] = await table.list(newest, after, mostAtOnce)
    for (const row of rows) {
      if (!await rewrapRow(table, row, work)) continue
      count += 1
      if (!row.sealed.encrypted) unencrypted += 1
    }
    after = rows.length < mostAtOnce ? undefined : rows.at(-1)?.id
  }
  return { what: table.what, count, unencrypted }
}

/** Returns whether the row is, or in a dry run would be, sealed with the newest key. */
async function rewrapRow (table: SealedTable, row: SealedRow, { sealing, isDryRun, failed }: Work): Promise<boolean> {
  try {
    const sealed = sealing.seal(sealing.open(row.sealed, row.context), row.context)
    return isDryRun || await table.replace(row, sealed)
  } catch (error) {
    const { kid } = row.sealed.json
    failed.push({
      what: table.what,
      id: row.id,
      connectionId: row.connection?.id ?? null,
      connection: row.connection?.name ?? null,
      keyId: row.sealed.encrypted && typeof kid === 'string' ? kid : null,
      message: asError(error).message
    })
    return false
  }
}

/** The keys that would still be needed: the newest, and those of secrets that stay as they are. */
function keysAfter (used: readonly string[], newest: string, failed: readonly Failure[]): string[] {
  const left = new Set(failed.map(({ keyId }) => keyId))
  return used.filter(id => id === newest || left.has(id))
}
