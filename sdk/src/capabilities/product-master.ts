import type { Product } from '../schemas/product.ts'
import type { Page, PageRequest } from '../schemas/values.ts'

/** The shop whose catalog the hub follows. */
export interface ProductMaster {
  /**
   * Reads one product with all its variants. Throws `NotFoundError` when the shop has deleted it.
   */
  getProduct(externalId: string): Promise<Product>
  /**
   * Lists products in a stable order; with `updatedSince` (ISO 8601) at least those changed since,
   * possibly a few more.
   */
  listProducts(request: PageRequest & { updatedSince?: string }): Promise<Page<Product>>
}
