import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import type { ShopClient } from './client.ts'
import type { ShopContext } from './config.ts'
import { readByIds } from './paging.ts'
import { associatedIds, localized, reference, text, type Row } from './records.ts'

const askAgainMs = 60 * 60_000

/** Name of a combination, made of its options (`Red, L`); `undefined` when the shop does not say them. */
export type ReadVariantName = (combination: Row) => string | undefined

/** Answers the function that reads the option names of some combinations in one request. A key that may not read them costs the names and nothing else. */
export function createVariantNames (client: ShopClient, { config, clock, log }: ShopContext): (combinations: readonly Row[]) => Promise<ReadVariantName> {
  let refusedUntilMs = 0

  async function readNames (ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0 || clock.now().getTime() < refusedUntilMs) return []
    try {
      return await readByIds(client, 'product_option_values', ids, { display: '[id,name]', language: config.languageId })
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      refusedUntilMs = clock.now().getTime() + askAgainMs
      log.warn({ reason: error.message }, 'names of options cannot be read, variants go without a name')
      return []
    }
  }

  return async combinations => {
    const rows = await readNames([...new Set(combinations.flatMap(optionIds))])
    const names = new Map(rows.map(row => [reference(row.id), localized(row.name, config.languageId)]))
    return combination => {
      const own = optionIds(combination).map(id => names.get(id))
      // Half a name says the wrong thing: "Red" for the red one in L.
      return own.length > 0 && own.every(name => name !== undefined) ? text(own.join(', ')) : undefined
    }
  }
}

function optionIds (combination: Row): string[] {
  return associatedIds(combination, 'product_option_values')
}
