import type { Query } from '../../database/database.ts'
import { credentialContext } from '../credentials.ts'
import { flowContext } from '../oauth-flows.ts'
import type { Sealed } from '../sealing.ts'
import type { SealedRow, SealedTable } from './sealed-table.ts'
import { selectCredentials, selectFlows, updateCredentials, updateFlow } from './statements.ts'

/** The columns of a stored secret. */
export interface SealedColumns extends Sealed {
  id: string
  platformType: string
}

type CredentialRow = SealedColumns & Pick<SealedRow, 'connection'>
type FlowRow = SealedColumns & { part: string }

/** The secrets of this folder: credentials, and authorisations that are under way. */
export function ownSealedTables (query: Query): SealedTable[] {
  return [
    {
      what: 'credentials',
      async list (keyId, after, limit) {
        const rows = await query<CredentialRow>(selectCredentials, [keyId, after, limit])
        return rows.map(({ id, platformType, json, encrypted, connection }) => ({
          id,
          context: credentialContext(id, platformType),
          sealed: { json, encrypted },
          connection
        }))
      },
      replace: (row, sealed) => replaceBy(query, updateCredentials, row, sealed)
    },
    {
      what: 'authorisations under way',
      async list (keyId, after, limit) {
        const rows = await query<FlowRow>(selectFlows, [keyId, after, limit])
        return rows.map(({ id, platformType, json, encrypted, part }) => ({
          id,
          context: flowContext(id, platformType, part),
          sealed: { json, encrypted },
          connection: null
        }))
      },
      replace: (row, sealed) => replaceBy(query, updateFlow, row, sealed)
    }
  ]
}

/** Runs a statement that writes `$4` and `$5` if the row still has `$2` and `$3`. */
export async function replaceBy (
  query: Query,
  statement: string,
  { id, sealed: before }: Pick<SealedRow, 'id' | 'sealed'>,
  sealed: Sealed
): Promise<boolean> {
  const changed = await query(statement, [
    id,
    JSON.stringify(before.json),
    before.encrypted,
    JSON.stringify(sealed.json),
    sealed.encrypted
  ])
  return changed.length > 0
}
