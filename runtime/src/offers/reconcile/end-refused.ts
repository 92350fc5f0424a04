import type { Query } from '../../database/database.ts'
import { endOutdated } from '../../jobs/operation/store.ts'
import { objectKeyOf } from '../quantity-jobs.ts'

/** Ends the dead jobs of offers that show a quantity again after the marketplace refused one. */
export async function endRefused (query: Query, connectionId: string, offerIds: readonly string[]): Promise<void> {
  const keys = offerIds.map(id => objectKeyOf({ id, connectionId }))
  await endOutdated(query, keys, 'the marketplace shows the quantity of a later write')
}
