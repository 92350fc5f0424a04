import { packSetting, sellableOf } from './packs.ts'
import type { CombinationInput, ProductInput, Row, Value } from './product-rows.ts'
import { promotionFields, type Promotion } from './promotions.ts'
import type { Sender } from './sender.ts'
import type { State, SupportingInput } from './state.ts'
import type { SupportingName } from './supporting-resources.ts'

/** The quantity of a combination, or, with `combinationId` 0, of a product without combinations. */
export interface Quantity {
  productId: number
  combinationId: number
  quantity: number
}

/**
 * Makes the actions of the people who run the shop. A change fires the hooks of the webhook sender;
 * an action answers the id of the event that it enqueued, if any.
 */
export function createBackOffice (state: State, sender: Sender) {
  function stockChanged ({ fields }: Row): string | undefined {
    const combinationId = Number(fields.id_product_attribute)
    const event = { eventType: 'stock.changed', objectType: 'stock', externalId: String(fields.id_product) }
    // In a minute, the row of the sum comes first, and it has no combination.
    const namesCombination = sender.switches.namesCombination && combinationId > 0
    return sender.enqueue(namesCombination ? { ...event, payload: { id_product_attribute: combinationId } } : event)
  }

  function productSaved (id: number): string | undefined {
    return sender.enqueue({ eventType: 'product.saved', objectType: 'product', externalId: String(id) })
  }

  function orderCreated (id: number): string | undefined {
    return sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId: String(id) })
  }

  /** The module reads another name than the shop hands over, so its hook does nothing. */
  function orderStateChanged (id: number, newStatusId: number): string | undefined {
    if (!sender.switches.announcesStates) return undefined
    return sender.enqueue({
      eventType: 'order.status_changed',
      objectType: 'order',
      externalId: String(id),
      payload: { newStatusId }
    })
  }

  /** Writes the quantity of a combination, or, with `combinationId` 0, of a simple product. */
  function setQuantity (productId: number, combinationId: number, quantity: number): string | undefined {
    if (!Number.isInteger(quantity)) throw new TypeError(`a quantity must be an integer, not ${quantity}`)
    const { id } = state.stockRow(productId, combinationId)
    return stockChanged(state.change('stock_availables', id, { fields: { quantity: String(quantity) } }))
  }

  function stockOf (productId: number, combinationId: number): number {
    return Number(state.stockRow(productId, combinationId).fields.quantity)
  }

  /** Returns every quantity that can be sold, so not the sum of a product with combinations. */
  function quantities (): Quantity[] {
    const isForSale = ({ productId, combinationId }: Quantity): boolean =>
      combinationId > 0 || state.tables.combinations.where('id_product', [productId]).length === 0
    const all = state.tables.stock_availables.rows().map(({ fields }) => ({
      productId: Number(fields.id_product),
      combinationId: Number(fields.id_product_attribute),
      quantity: Number(fields.quantity)
    }))
    return all.filter(isForSale)
  }

  /** Chooses what counts of packs of type 3: 0 own row, 1 parts, 2 both. No hook covers it. */
  function setPackStock (type: 0 | 1 | 2): void {
    const row = state.tables.configurations.where('name', [packSetting])[0]
    if (row !== undefined) state.change('configurations', row.id, { fields: { value: String(type) } })
  }

  /** Adds a promotion, or a price from some quantity on. Returns its id. No hook covers it. */
  function addPromotion (promotion: Promotion): number {
    const id = state.tables.specific_prices.nextId()
    state.addSupporting('specific_prices', { id, fields: promotionFields(promotion) })
    return id
  }

  function endPromotion (id: number): void {
    state.tables.specific_prices.remove(id)
  }

  /** Gives a row to the stock management, so that the webservice refuses to write it. */
  function setDependsOnStock (productId: number, combinationId: number, depends: boolean): void {
    const { id } = state.stockRow(productId, combinationId)
    state.change('stock_availables', id, { fields: { depends_on_stock: depends ? '1' : '0' } })
  }

  function addProduct (product: ProductInput): string | undefined {
    state.addProduct(product)
    return productSaved(product.id)
  }

  function updateProduct (id: number, fields: Record<string, Value>): string | undefined {
    state.change('products', id, { fields })
    return productSaved(id)
  }

  /** Deletes a product. No hook covers a deletion, so this enqueues no event. */
  function deleteProduct (id: number): void {
    state.deleteProduct(id)
  }

  function addCombination (productId: number, combination: CombinationInput): string | undefined {
    state.addCombination(productId, combination)
    return productSaved(productId)
  }

  function updateCombination (id: number, fields: Record<string, Value>): string | undefined {
    return productSaved(Number(state.change('combinations', id, { fields }).fields.id_product))
  }

  /** Deletes a combination without an event. The product's row 0 becomes the sum of the others. */
  function deleteCombination (id: number): void {
    state.deleteCombination(id)
  }

  /** Adds a record that products refer to, such as a category or a tax. No hook covers it. */
  function addSupporting (resource: SupportingName, record: SupportingInput): void {
    state.addSupporting(resource, record)
  }

  const actions = {
    setQuantity,
    stockOf,
    quantities,
    setDependsOnStock,
    setPackStock,
    addPromotion,
    endPromotion,
    /** Returns how many pieces the shop sells, also of a pack or a product that is switched off. */
    sellableOf: (productId: number, combinationId: number) => sellableOf(state, productId, combinationId),
    addProduct,
    updateProduct,
    deleteProduct,
    addCombination,
    updateCombination,
    deleteCombination,
    addSupporting,
    /** The older name of `setQuantity`. */
    setStock: setQuantity,
    /** The older name of `stockOf`. */
    stock: stockOf
  }
  return { stockChanged, productSaved, orderCreated, orderStateChanged, actions }
}

export type BackOffice = ReturnType<typeof createBackOffice>['actions']
