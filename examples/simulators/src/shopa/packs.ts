import type { PackPart, Row } from './product-rows.ts'
import type { State } from './state.ts'

/** The shop's general setting, for packs of type 3. The prefix of the name is the shop's own. */
export const packSetting = 'SHOP_PACK_STOCK_TYPE'

/** A stock row that an order of some pieces takes from. */
export interface Taken {
  productId: number
  combinationId: number
  pieces: number
}

/** The general setting is 0: the pack's own row. */
export function addPackSetting ({ tables, addSupporting }: State): void {
  addSupporting('configurations', {
    id: tables.configurations.nextId(),
    fields: { name: packSetting, value: '0' }
  })
}

/** Returns the stock rows from which an order takes its pieces. */
export function takenBy (state: State, productId: number, combinationId: number, quantity: number): Taken[] {
  const own = { productId, combinationId, pieces: quantity }
  const product = state.row('products', productId)
  if (product.fields.type !== 'pack') return [own]
  const ofParts = partsOf(product).map(({ quantity: each, ...part }) => ({ ...part, pieces: each * quantity }))
  switch (stockTypeOf(state, product)) {
    case 1:
      return ofParts
    case 2:
      return [own, ...ofParts]
    default:
      return [own]
  }
}

/** Returns how many pieces the shop sells: none of what is switched off or not for order. */
export function sellableOf (state: State, productId: number, combinationId: number): number {
  const { fields } = state.row('products', productId)
  if (fields.active !== '1' || fields.available_for_order !== '1') return 0
  const sold = takenBy(state, productId, combinationId, 1).map(({ pieces, ...taken }) => {
    const { fields: stock } = state.stockRow(taken.productId, taken.combinationId)
    return Math.floor(Math.max(0, Number(stock.quantity)) / pieces)
  })
  return Math.min(...sold)
}

function stockTypeOf ({ tables }: State, { fields }: Row): number {
  const type = Number(fields.pack_stock_type)
  return type === 3 ? Number(tables.configurations.where('name', [packSetting])[0]?.fields.value) : type
}

function partsOf ({ associations }: Row): Required<PackPart>[] {
  return (associations.product_bundle ?? []).map(part => ({
    productId: Number(part.id),
    combinationId: Number(part.id_product_attribute ?? 0),
    quantity: Number(part.quantity)
  }))
}
