import type { CombinationInput, ProductInput, Row, Value } from './product-rows.ts'
import type { SupportingName } from './supporting-resources.ts'
import type { Sender } from './sender.ts'
import type { State, SupportingInput } from './state.ts'

/**
 * The quantity of what a buyer can choose: a combination, or with `combinationId` 0 a product
 * without combinations.
 */
export interface Quantity {
  productId: number
  combinationId: number
  quantity: number
}

/**
 * What people do in the shop. Their changes fire the hooks of the webhook sender; each action
 * returns the id of the event that it enqueued, if any.
 */
export function createBackOffice (state: State, sender: Sender) {
  function stockChanged ({ fields }: Row): string | undefined {
    const combinationId = Number(fields.id_product_attribute)
    const event = { eventType: 'stock.changed', objectType: 'stock', externalId: String(fields.id_product) }
    return sender.enqueue(combinationId > 0 ? { ...event, payload: { id_product_attribute: combinationId } } : event)
  }

  function productSaved (id: number): string | undefined {
    return sender.enqueue({ eventType: 'product.saved', objectType: 'product', externalId: String(id) })
  }

  function orderCreated (id: number): string | undefined {
    return sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId: String(id) })
  }

  function orderStateChanged (id: number, newStatusId: number): string | undefined {
    return sender.enqueue({
      eventType: 'order.status_changed',
      objectType: 'order',
      externalId: String(id),
      payload: { newStatusId }
    })
  }

  /** Writes the quantity of a combination, or with `combinationId` 0 of a simple product. */
  function setQuantity (productId: number, combinationId: number, quantity: number): string | undefined {
    if (!Number.isInteger(quantity)) throw new TypeError(`a quantity is an integer, not ${quantity}`)
    return stockChanged(state.change('stock_availables', state.stockRow(productId, combinationId).id, {
      fields: { quantity: String(quantity) }
    }))
  }

  function stockOf (productId: number, combinationId: number): number {
    return Number(state.stockRow(productId, combinationId).fields.quantity)
  }

  /** Of everything that can be sold: the sum of a product with combinations is no entry. */
  function quantities (): Quantity[] {
    return state.tables.stock_availables.rows().map(({ fields }) => ({
      productId: Number(fields.id_product),
      combinationId: Number(fields.id_product_attribute),
      quantity: Number(fields.quantity)
    })).filter(({ productId, combinationId }) =>
      combinationId > 0 || state.tables.combinations.where('id_product', [productId]).length === 0
    )
  }

  /** Makes the shop refuse writes of the row: it belongs to the stock management then. */
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

  /** No hook covers a deletion: nothing is enqueued. */
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

  /**
   * As with a product, nothing is enqueued; the product's row 0 becomes the sum of what is left.
   */
  function deleteCombination (id: number): void {
    state.deleteCombination(id)
  }

  /** A category, an option, a tax: what products refer to. No hook covers them. */
  function addSupporting (resource: SupportingName, record: SupportingInput): void {
    state.addSupporting(resource, record)
  }

  const actions = {
    setQuantity,
    stockOf,
    quantities,
    setDependsOnStock,
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
