import type { ProductInput, Row, Value } from './product-rows.ts'
import type { Sender } from './sender.ts'
import type { State } from './state.ts'

/** What people do in the shop. Their changes fire the hooks of the webhook sender; each action returns the id of the event that it enqueued, if any. */
export function createBackOffice (state: State, sender: Sender) {
  function stockChanged ({ fields }: Row): string | undefined {
    const attributeId = Number(fields.id_product_attribute)
    const event = { eventType: 'stock.changed', objectType: 'stock', externalId: String(fields.id_product) }
    return sender.enqueue(attributeId > 0 ? { ...event, payload: { id_product_attribute: attributeId } } : event)
  }

  function productSaved (id: number): string | undefined {
    return sender.enqueue({ eventType: 'product.saved', objectType: 'product', externalId: String(id) })
  }

  /** Writes the quantity of a combination, or with `attributeId` 0 of a simple product. Returns the id of the event that it enqueued. */
  function setStock (productId: number, attributeId: number, quantity: number): string | undefined {
    if (!Number.isInteger(quantity)) throw new TypeError(`a quantity is an integer, not ${quantity}`)
    return stockChanged(state.saveStock(state.stockRow(productId, attributeId).id, { quantity: String(quantity) }))
  }

  function stock (productId: number, attributeId: number): number {
    return Number(state.stockRow(productId, attributeId).fields.quantity)
  }

  /** Makes the shop refuse writes of the row: it belongs to the stock management then. */
  function setDependsOnStock (productId: number, attributeId: number, depends: boolean): void {
    state.stockRow(productId, attributeId).fields.depends_on_stock = depends ? '1' : '0'
  }

  function addProduct (product: ProductInput): string | undefined {
    state.addProduct(product)
    return productSaved(product.id)
  }

  function updateProduct (id: number, fields: Record<string, Value>): string | undefined {
    state.updateProduct(id, fields)
    return productSaved(id)
  }

  /** No hook covers a deletion: nothing is enqueued. */
  function deleteProduct (id: number): void {
    state.deleteProduct(id)
  }

  return { stockChanged, actions: { setStock, stock, setDependsOnStock, addProduct, updateProduct, deleteProduct } }
}

export type BackOffice = ReturnType<typeof createBackOffice>['actions']
