import type { SchemaProblem } from '@linker/sdk/host'
import type { Belonging, Kept } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { argumentOf } from '../words.ts'
import { keepLinks } from './former/statements.ts'
import { countBatches } from './listing/statements.ts'
import { countOfConnection, deleteOfConnection } from './statements.ts'
import { findFollowers } from './store.ts'
import { countUnlinked, deleteUnlinkedOf } from './unlinked/statements.ts'

/** The offers of a marketplace, with their links and limits. */
export const offersOfConnection: readonly Belonging[] = [
  // The next connection to the account may take over the links.
  belonging('offers', countOfConnection, keepLinks, deleteOfConnection),
  belonging('unlinked offers', countUnlinked, deleteUnlinkedOf)
]

export const batchesOfConnection: Kept = {
  what: 'batches of offers',
  count: (query, connectionId) => countRows(query, countBatches, [connectionId])
}

/** A shop is used by the marketplaces whose offers follow its stock. */
export async function findOfferUses (query: Query, connectionId: string): Promise<SchemaProblem[]> {
  const followers = await findFollowers(query, connectionId)
  return followers.map(({ id, name, count }) => ({
    pointer: '',
    code: 'shop-of-offers',
    message: `offers (${count}) of connection '${name}' (${id}) follow its stock. To unlink one: ` +
      '`linker offers unlink OFFER` or DELETE /offers/{id}. To end one at its marketplace: ' +
      `POST /listings/connections/${id}/offers/{id}/end. To see all offers of that marketplace: ` +
      `\`linker offers list --connection ${argumentOf({ id, name })}\` or GET /offers?connectionId=${id}`
  }))
}
