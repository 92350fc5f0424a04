import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countIgnored, countReceipts, deleteIgnored, deleteReceipts } from './statements.ts'

/** The deliveries of a platform, apart from the jobs that they started. */
export const deliveriesOfConnection: readonly Belonging[] = [
  belonging('last delivery', countReceipts, deleteReceipts),
  belonging('ignored events', countIgnored, deleteIgnored)
]
