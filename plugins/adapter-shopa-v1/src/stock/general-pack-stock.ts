import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { integer, reference, text, type Row } from '../webservice/row.ts'

/** A pack sells as many as its own stock row, its scarcest part or the lesser of both says. */
export type PackStock = 'own' | 'parts' | 'lesser'

const keepMs = 10 * 60_000
// The name has a prefix in the shop.
const setting = 'PACK_STOCK_TYPE'
const meanings: readonly PackStock[] = ['own', 'parts', 'lesser']

/**
 * Returns the function that reads what counts of a pack in general, at most every ten minutes.
 * `undefined`: unknown.
 */
export function createGeneralPackStock (
  client: ShopClient,
  { config, clock, log }: ShopContext
): () => Promise<PackStock | undefined> {
  const { packStock, shopId } = config
  if (packStock !== undefined) return async () => packStock
  let known: { value: PackStock | undefined, untilMs: number } | undefined

  async function read (): Promise<PackStock | undefined> {
    try {
      const rows = await client.list('configurations', { 'filter[name]': `%[${setting}]`, display: 'full' })
      return meaningOf(rows.filter(row => text(row.name)?.endsWith(setting)), shopId)
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      log.warn({ reason: error.message }, 'the general setting for packs cannot be read')
      return undefined
    }
  }

  return async () => {
    const nowMs = clock.now().getTime()
    if (known === undefined || known.untilMs <= nowMs) known = { value: await read(), untilMs: nowMs + keepMs }
    return known.value
  }
}

/** A setting of one shop hides the one that was made for all shops. */
function meaningOf (rows: readonly Row[], shopId: string | undefined): PackStock | undefined {
  const ofAll = rows.filter(row => reference(row.id_shop) === '0')
  const [row] = [...rows.filter(row => reference(row.id_shop) === (shopId ?? '1')), ...ofAll]
  return meanings[integer(row?.value) ?? -1]
}
