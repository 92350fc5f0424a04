import type { NewShipment, Shipment, ShipmentTracking, ShippingLabel } from '../schemas.ts'

/**
 * Name under which an adapter declares that it is a carrier: in `linker.capabilities` of its
 * package.json and as a member of `capabilities`.
 */
export const carrierCapability = 'linker/Carrier'

/**
 * Ships parcels. A connection whose adapter declares `linker/Carrier` may be chosen by routing
 * rules of the kind `hub_managed_carrier`.
 */
export interface Carrier {
  /**
   * Orders a shipment. `reference` is the hub's own id of it: a repeat with the same reference must
   * answer the first shipment, not make a second.
   */
  createShipment(shipment: NewShipment, options: { reference: string }): Promise<Shipment>
  getLabel(externalId: string): Promise<ShippingLabel>
  getTracking(externalId: string): Promise<ShipmentTracking>
  /** One that is cancelled already is success; one that is on its way is a `RejectedError`. */
  cancelShipment(externalId: string): Promise<void>
}
