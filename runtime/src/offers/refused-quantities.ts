import type { RefusedQuantity } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../jobs/storable-json.ts'

const prefix = 'the marketplace refused the quantity: '

/** In a statement on `offers`: their problems without a quantity that was refused before. */
export const withoutRefusal = `(select coalesce(jsonb_agg(kept.problem), '[]') from jsonb_array_elements_text(offers.problems) as kept (problem) where not starts_with(kept.problem, '${prefix}'))`

/**
 * Quantities that a marketplace took and then refused. What the offer has is not known any more, so nothing is concluded from what is shown: the same quantity would be
 * refused again. The next version of the stock or of the link is written as always. A refusal of a quantity that is not the last one written comes too late to matter.
 */
export async function storeRefused (query: Query, connectionId: string, refused: readonly RefusedQuantity[]): Promise<void> {
  if (refused.length === 0) return
  const rows = [...new Map(refused.map(({ externalId, quantity, message }) => [`${externalId}\n${quantity}`, { externalId, quantity, problem: `${prefix}${message}` }])).values()]
  await query(`
    update offers set quantity = null, stock_version = null, upstream_quantity = null, updated_at = now(), problems = ${withoutRefusal} || jsonb_build_array(refused.problem)
    from jsonb_to_recordset($2::jsonb) as refused ("externalId" text, quantity bigint, problem text)
    where offers.connection_id = $1 and offers.external_id = refused."externalId" and offers.quantity = refused.quantity and offers.status not in ('ENDED', 'FAILED') and offers.last_synced_at is not null`, [connectionId, toStorableJson(rows)])
}
