import type { Query } from '../../database/database.ts'
import { pollShopOrders } from '../jobs.ts'
import { shopOrdersCursor } from '../shop/store.ts'
import { countLate, selectUnread } from './statements.ts'

/** The orders of a marketplace that its setting `shipsWithin` calls late. */
export interface LateOrders {
  connectionId: string
  /** The setting. */
  hours: number
  count: number
  /** When the oldest one was placed, ISO 8601. */
  since: string
  oldestExternalId: string
}

/** Counts the orders of connections that are older than `hours` and not shipped, up to `limit`. */
export async function countLateOrders (
  query: Query,
  connections: readonly { id: string, hours: number }[],
  limit: number
): Promise<LateOrders[]> {
  return connections.length === 0 ? [] : query<LateOrders>(countLate, [JSON.stringify(connections), limit])
}

/** A shop whose orders were not read for an hour, although the hub tried. */
export interface UnreadShop {
  connectionId: string
  /** When they were last read, or else when the hub first tried within two days. ISO 8601. */
  since: string
}

/** Returns those connections of shops whose poll of orders has not succeeded for an hour. */
export async function listUnreadShops (query: Query, connectionIds: readonly string[]): Promise<UnreadShop[]> {
  return query<UnreadShop>(selectUnread, [connectionIds, shopOrdersCursor, pollShopOrders.type])
}
