import { ConfigurationError, RejectedError, type NewOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { Config, ShopContext } from '../../config.ts'
import { isShopId } from '../../products/ids.ts'
import { readAll } from '../../webservice/paging.ts'
import { isSet, reference, text, type Row } from '../../webservice/row.ts'

export interface ChosenCarrier {
  id: string
  name: string
  taxGroup: string
}

/** The carriers of an order. */
export interface ChosenCarriers {
  /** The carrier that the order has in the end. */
  wanted: ChosenCarrier
  /**
   * The carrier of the cart. With the module it is the module's own, because the shop prices any
   * other carrier itself.
   */
  ofCart: ChosenCarrier
}

/**
 * Chooses the carrier for an order's delivery method: the configured one, else the default, else
 * the one that the shop-side module installed.
 */
export async function chooseCarriers (
  client: ShopClient,
  { config }: ShopContext,
  order: NewOrder,
  { hasModule }: { hasModule: boolean }
): Promise<ChosenCarriers> {
  // Do not use `filter[active]`: in some versions of the shop it works the other way round.
  const rows = await readAll(client, 'carriers', { display: 'full' })
  const own = newest(rows.filter(row => isUsable(row) && isOfModule(row, config)))
  const ofModule = own === undefined ? undefined : chosen(own, "the module's carrier")
  const wanted = wantedBy(order, config, rows) ?? ofModule
  if (wanted === undefined) {
    const remedy = 'name one in config.carriers, or config.defaultCarrierId'
    throw new RejectedError(`no carrier for delivery method '${order.shipping.methodId}': ${remedy}`)
  }
  return { wanted, ofCart: hasModule ? ofModule ?? wanted : wanted }
}

/** Whether the shop-side module installed a carrier. */
export function isOfModule (carrier: Row, { moduleName }: Pick<Config, 'moduleName'>): boolean {
  return text(carrier.external_module_name) === moduleName
}

function wantedBy (order: NewOrder, config: Config, rows: readonly Row[]): ChosenCarrier | undefined {
  const { methodId } = order.shipping
  const mapped = (config.carriers ?? []).filter(entry =>
    entry.methodId === methodId && [undefined, order.source.connectionId].includes(entry.sourceConnectionId)
  )
  const match = mapped.find(entry => entry.sourceConnectionId !== undefined) ?? mapped[0]
  const wanted = match?.carrierReference ?? referenceOfDefault(rows, config.defaultCarrierId)
  return wanted === undefined ? undefined : chosen(currentOf(rows, wanted), `carrier with reference ${wanted}`)
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

function chosen (row: Row | undefined, title: string): ChosenCarrier {
  const id = reference(row?.id)
  if (row === undefined || !isShopId(id)) throw new ConfigurationError(`${title} is not active in the shop`)
  return { id, name: text(row.name) ?? id, taxGroup: reference(row.id_tax_rules_group) }
}

function newest (rows: readonly Row[]): Row | undefined {
  return rows.toSorted((a, b) => Number(reference(b.id)) - Number(reference(a.id)))[0]
}

function isUsable (row: Row): boolean {
  return isSet(row.active) && !isSet(row.deleted)
}
