import type { SealedRow, SealedTable } from '../../credentials/rewrap/sealed-table.ts'
import { mostSampledKeys, replaceBy, type SealedColumns } from '../../credentials/rewrap/store.ts'
import type { Query } from '../../database/database.ts'
import { secretContext } from '../stored-secrets.ts'
import { sampleSecrets, selectOutdated, updateSecret } from './statements.ts'

type SecretRow = SealedColumns & Partial<Pick<SealedRow, 'connection'>>

/** The secrets of webhooks, to be sealed anew. */
export function webhookSecretTable (query: Query): SealedTable {
  return {
    what: 'webhook secrets',
    async list (keyId, after, limit) {
      return (await query<SecretRow>(selectOutdated, [keyId, after, limit])).map(secretRow)
    },
    async sample () {
      return (await query<SealedColumns>(sampleSecrets, [mostSampledKeys])).map(secretRow)
    },
    replace: (row, sealed) => replaceBy(query, updateSecret, row, sealed)
  }
}

function secretRow ({ id, platformType, json, encrypted, connection = null }: SecretRow): SealedRow {
  return { id, context: secretContext(id, platformType), sealed: { json, encrypted }, connection }
}
