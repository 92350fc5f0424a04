import type { NewShipment, Shipment, ShipmentTracking, ShippingLabel } from '../schemas/shipment.ts'

/**
 * The name by which an adapter declares that it is a carrier: in `linker.capabilities` of its
 * package.json and as a member of `capabilities`.
 */
export const carrierCapability = 'linker/Carrier'

/**
 * Ships parcels. Routing rules of the kind `hub_managed_carrier` may choose a connection whose
 * adapter declares `linker/Carrier`.
 */
export interface Carrier {
  /**
   * Orders a shipment. `reference` is the hub's own id of the shipment: a repeat with the same
   * reference must answer the first shipment, not make a second.
   */
  createShipment(shipment: NewShipment, options: { reference: string }): Promise<Shipment>
  getLabel(externalId: string): Promise<ShippingLabel>
  getTracking(externalId: string): Promise<ShipmentTracking>
  /**
   * A shipment that is already cancelled is a success; a shipment on its way is a `RejectedError`.
   */
  cancelShipment(externalId: string): Promise<void>
}
