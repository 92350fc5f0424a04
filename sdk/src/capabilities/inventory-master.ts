import type { Page, PageRequest, StockLevel } from '../schemas.ts'

/** The shop whose stock is the truth for every linked offer. */
export interface InventoryMaster {
  /**
   * Stock of every variant of one product. Throws `NotFoundError` when the product is gone; a gap
   * in the data is a `TransientError`, never an empty list or a zero.
   */
  getStock(productExternalId: string): Promise<StockLevel[]>
  /** Lists the stock of all products in a stable order. The runtime compares and repairs. */
  listStock(request: PageRequest): Promise<Page<StockLevel>>
  /**
   * Stock of every variant of up to 100 products at once. What is gone or not known is absent from
   * the answer: for a product that is, the runtime asks `getStock`, which says why. Without it the
   * runtime asks for one product at a time.
   */
  getStockMany?(productExternalIds: readonly string[]): Promise<StockLevel[]>
  /** Sets the absolute quantity of one variant. */
  setStock?(level: StockLevel): Promise<void>
}
