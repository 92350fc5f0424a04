import type { Transaction } from '../database/database.ts'
import type { JobRequest } from './job.ts'

/** Effects that jobs of one kind store together when they end in the same moment. */
export interface SharedEffects {
  /** The same function for all effects of a kind. `all` holds those of every job that ends. */
  storeAll(this: void, transaction: Transaction, all: readonly SharedEffects[]): Promise<readonly JobRequest[]>
}

/**
 * Defines a kind of effects. `store` writes the items of many jobs, each statement for all of them,
 * and answers jobs that follow. It may run again after it was rolled back, also with fewer items.
 * Returns the function that makes the effects of one job.
 */
export function defineSharedEffects<
  Item
> (store: (
  transaction: Transaction,
  items: readonly Item[]
) => Promise<readonly JobRequest[]>): (item: Item) => SharedEffects {
  const items = new WeakMap<SharedEffects, { item: Item }>()

  function itemOf (effects: SharedEffects): Item {
    const found = items.get(effects)
    if (found === undefined) throw new TypeError('these effects are of another kind, or a copy')
    return found.item
  }

  async function storeAll (transaction: Transaction, all: readonly SharedEffects[]): Promise<readonly JobRequest[]> {
    return store(transaction, all.map(itemOf))
  }

  return item => {
    const effects = { storeAll }
    items.set(effects, { item })
    return effects
  }
}
