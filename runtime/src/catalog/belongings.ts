import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countOfConnection, deleteProducts, deleteVariants, markKeptProducts, markKeptVariants } from './statements.ts'

/** The products of a shop. Those that orders or ended offers name stay, as missing. */
export const productsOfConnection: Belonging = belonging(
  'products',
  countOfConnection,
  deleteVariants,
  deleteProducts,
  markKeptVariants,
  markKeptProducts
)
