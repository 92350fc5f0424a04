import type { SchemaProblem } from '@linker/sdk/host'
import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import type { Query } from '../database/database.ts'
import { countRules, deleteRules, deleteRuleSet } from './statements.ts'
import { findRulesNaming } from './store.ts'

/** The routing rules of a marketplace. */
export const rulesOfConnection: Belonging = belonging('routing rules', countRules, deleteRules, deleteRuleSet)

/** A carrier is used by the marketplaces whose rules name it. */
export async function findRuleUses (query: Query, connectionId: string): Promise<SchemaProblem[]> {
  const naming = await findRulesNaming(query, connectionId)
  return naming.map(({ id, name, count }) => ({
    pointer: '',
    code: 'carrier-of-rules',
    message: `routing rules (${count}) of connection '${name}' (${id}) name it as the carrier. ` +
      `Replace them first: PUT /connections/${id}/routing-rules`
  }))
}
