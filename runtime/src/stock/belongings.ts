import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { clearKept, countOfConnection, deleteOfConnection } from './statements.ts'
import { countSweeps, deleteSweeps } from './sweeps/statements.ts'

/** The stock of a shop, and the sweeps that read it. */
export const stockOfConnection: readonly Belonging[] = [
  belonging('sweeps of stock', countSweeps, deleteSweeps),
  belonging('stock of variants', countOfConnection, deleteOfConnection, clearKept)
]
