import type { Shipment, Tracking } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import {
  insertRequested,
  selectByNumber,
  selectShipment,
  updateAllToBegun,
  updateToBegun,
  updateToCancelled,
  updateToCreated,
  updateToFailed
} from './statements.ts'

/** The parcel of an order, as its row stands. */
export interface ShipmentRow {
  orderId: string
  connectionId: string
  status: 'requested' | 'created' | 'failed' | 'cancelled'
  begunAt: Date | null
  externalId: string | null
  tracking: Tracking | null
  problem: string | null
  createdAt: Date
  updatedAt: Date
}

export async function readShipment (query: Query, orderId: string): Promise<ShipmentRow | undefined> {
  const [row] = await query<ShipmentRow>(selectShipment, [orderId])
  return row
}

/** Whether the carrier's shipment of an order has this tracking number. */
export async function hasShipmentNumber (query: Query, orderId: string, trackingNumber: string): Promise<boolean> {
  const found = await query(selectByNumber, [orderId, trackingNumber])
  return found.length > 0
}

/** Inserts a parcel that the hub sees to. Leaves one alone that is there. */
export async function insertShipment (
  query: Query,
  { orderId, connectionId, problem }: { orderId: string, connectionId: string, problem: string | undefined }
): Promise<void> {
  await query(insertRequested, [orderId, connectionId, problem ?? null])
}

/** Notes that the carrier is about to be asked: from now on it may have made the parcel. */
export async function markBegun (query: Query, orderId: string): Promise<void> {
  await query(updateToBegun, [orderId])
}

/** Notes after a restore that the carrier may have been asked for every requested parcel. */
export async function markAllBegun (query: Query): Promise<void> {
  await query(updateAllToBegun)
}

/** Stores the carrier's shipment. */
export async function markCreated (
  query: Query,
  orderId: string,
  { externalId, tracking }: Pick<Shipment, 'externalId' | 'tracking'>
): Promise<void> {
  await query(updateToCreated, [orderId, externalId, JSON.stringify(tracking)])
}

export async function markCancelled (query: Query, orderId: string): Promise<void> {
  await query(updateToCancelled, [orderId])
}

export async function markFailed (query: Query, orderId: string, problem: string): Promise<void> {
  await query(updateToFailed, [orderId, problem])
}
