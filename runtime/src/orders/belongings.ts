import type { Kept, OpenOrders } from '../connections/deletion/belongings.ts'
import { countRows } from '../database/count-rows.ts'
import { countOfConnection, countOpen } from './statements.ts'
import { listFirstOpen, noteDeleted } from './store.ts'

export const ordersOfConnection: Kept = {
  what: 'orders',
  count: (query, connectionId) => countRows(query, countOfConnection, [connectionId])
}

/** Orders that are not finished and need the connection as marketplace, shop or carrier. */
export const openOrders: OpenOrders = {
  count: (query, connectionId) => countRows(query, countOpen, [connectionId]),
  first: listFirstOpen,
  note: noteDeleted
}
