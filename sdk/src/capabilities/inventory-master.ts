import type { StockLevel } from '../schemas/product.ts'
import type { Page, PageRequest } from '../schemas/values.ts'

/** The shop whose stock is authoritative for every linked offer. */
export interface InventoryMaster {
  /**
   * Reads the stock of every variant of one product. Throws `NotFoundError` when the product is
   * gone. A gap in the data is a `TransientError`, never an empty list or a zero.
   */
  getStock(productExternalId: string): Promise<StockLevel[]>
  /**
   * Lists the stock of all products in a stable order. The runtime compares it with its own and
   * repairs differences. `limit` counts products: a page has the levels of all variants of at most
   * that many products, and at most 50 000 levels.
   */
  listStock(request: PageRequest): Promise<Page<StockLevel>>
  /**
   * Reads the stock of every variant of up to 100 products at once. Leaves out products that are
   * gone or unknown; for these the runtime calls `getStock`, which says why. If absent, the runtime
   * asks for one product at a time.
   */
  getStockMany?(productExternalIds: readonly string[]): Promise<StockLevel[]>
  /** Sets the absolute quantity of one variant. */
  setStock?(level: StockLevel): Promise<void>
}
