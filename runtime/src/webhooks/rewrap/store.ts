import type { SealedRow, SealedTable } from '../../credentials/rewrap/sealed-table.ts'
import { replaceBy, type SealedColumns } from '../../credentials/rewrap/store.ts'
import type { Query } from '../../database/database.ts'
import { secretContext } from '../stored-secrets.ts'
import { selectOutdated, updateSecret } from './statements.ts'

type SecretRow = SealedColumns & Pick<SealedRow, 'connection'>

/** The secrets of webhooks, to be sealed anew. */
export function webhookSecretTable (query: Query): SealedTable {
  return {
    what: 'webhook secrets',
    async list (keyId, after, limit) {
      const rows = await query<SecretRow>(selectOutdated, [keyId, after, limit])
      return rows.map(({ id, platformType, json, encrypted, connection }) => ({
        id,
        context: secretContext(id, platformType),
        sealed: { json, encrypted },
        connection
      }))
    },
    replace: (row, sealed) => replaceBy(query, updateSecret, row, sealed)
  }
}
