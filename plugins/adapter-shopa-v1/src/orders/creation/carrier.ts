import { ConfigurationError, RejectedError, type NewOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { isShopId } from '../../products/ids.ts'
import { readAll } from '../../webservice/paging.ts'
import { isSet, reference, text, type Row } from '../../webservice/row.ts'

export interface ChosenCarrier {
  id: string
  taxGroup: string
}

/**
 * Chooses the carrier for an order's delivery method: the configured one, else the default, else
 * the one that the shop-side module installed.
 */
export async function chooseCarrier (
  client: ShopClient,
  { config }: ShopContext,
  order: NewOrder
): Promise<ChosenCarrier> {
  // Do not use `filter[active]`: in some versions of the shop it works the other way round.
  const rows = await readAll(client, 'carriers', { display: 'full' })
  const { methodId } = order.shipping
  const mapped = (config.carriers ?? []).filter(entry =>
    entry.methodId === methodId && [undefined, order.source.connectionId].includes(entry.sourceConnectionId)
  )
  const match = mapped.find(entry => entry.sourceConnectionId !== undefined) ?? mapped[0]
  const wanted = match?.carrierReference ?? referenceOfDefault(rows, config.defaultCarrierId)
  if (wanted !== undefined) return chosen(currentOf(rows, wanted), `carrier with reference ${wanted}`)

  const moduleName = config.moduleName
  const own = newest(rows.filter(row => isUsable(row) && text(row.external_module_name) === moduleName))
  if (own === undefined) {
    const remedy = 'name one in config.carriers, or config.defaultCarrierId'
    throw new RejectedError(`no carrier for delivery method '${methodId}': ${remedy}`)
  }
  return chosen(own, "the module's carrier")
}

/**
 * Returns the default carrier's reference: an edit changes a carrier's id but not its reference.
 */
function referenceOfDefault (rows: readonly Row[], id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const row = rows.find(row => reference(row.id) === id)
  if (row === undefined) throw new ConfigurationError(`the shop has no carrier ${id} (config.defaultCarrierId)`)
  return isShopId(reference(row.id_reference)) ? reference(row.id_reference) : id
}

function currentOf (rows: readonly Row[], wanted: string): Row | undefined {
  return newest(rows.filter(row => isUsable(row) && (reference(row.id_reference) === wanted)))
}

function chosen (row: Row | undefined, name: string): ChosenCarrier {
  const id = reference(row?.id)
  if (row === undefined || !isShopId(id)) throw new ConfigurationError(`${name} is not active in the shop`)
  return { id, taxGroup: reference(row.id_tax_rules_group) }
}

function newest (rows: readonly Row[]): Row | undefined {
  return rows.toSorted((a, b) => Number(reference(b.id)) - Number(reference(a.id)))[0]
}

function isUsable (row: Row): boolean {
  return isSet(row.active) && !isSet(row.deleted)
}
