import type { Query } from '../../database/database.ts'
import { credentialContext } from '../credentials.ts'
import { flowContext } from '../oauth-flows.ts'
import type { Sealed } from '../sealing.ts'
import type { SealedRow, SealedTable } from './sealed-table.ts'
import {
  sampleCredentials,
  sampleFlows,
  selectCredentials,
  selectFlows,
  updateCredentials,
  updateFlow
} from './statements.ts'

/** How many keys a sample of a table looks at. */
export const mostSampledKeys = 100

/** The columns of a stored secret. */
export interface SealedColumns extends Sealed {
  id: string
  platformType: string
}

type CredentialRow = SealedColumns & Partial<Pick<SealedRow, 'connection'>>
type FlowRow = SealedColumns & { part: string }

/** The secrets of this folder: credentials, and authorisations that are under way. */
export function ownSealedTables (query: Query): SealedTable[] {
  return [
    {
      what: 'credentials',
      async list (keyId, after, limit) {
        return (await query<CredentialRow>(selectCredentials, [keyId, after, limit])).map(credentialRow)
      },
      async sample () {
        return (await query<SealedColumns>(sampleCredentials, [mostSampledKeys])).map(credentialRow)
      },
      replace: (row, sealed) => replaceBy(query, updateCredentials, row, sealed)
    },
    {
      what: 'authorisations under way',
      async list (keyId, after, limit) {
        return (await query<FlowRow>(selectFlows, [keyId, after, limit])).map(flowRow)
      },
      async sample () {
        return (await query<FlowRow>(sampleFlows, [mostSampledKeys])).map(flowRow)
      },
      replace: (row, sealed) => replaceBy(query, updateFlow, row, sealed)
    }
  ]
}

function credentialRow ({ id, platformType, json, encrypted, connection = null }: CredentialRow): SealedRow {
  return { id, context: credentialContext(id, platformType), sealed: { json, encrypted }, connection }
}

function flowRow ({ id, platformType, json, encrypted, part }: FlowRow): SealedRow {
  return { id, context: flowContext(id, platformType, part), sealed: { json, encrypted }, connection: null }
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
