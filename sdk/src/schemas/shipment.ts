import { Type, type Static } from '@sinclair/typebox'
import { Address, Tracking } from './order.ts'
import { ExternalId, Money } from './values.ts'

/** A parcel to hand to a carrier. */
export const NewShipment = Type.Object({
  /** The marketplace's id of the delivery method that the buyer chose. */
  methodId: Type.String(),
  recipient: Address,
  email: Type.Optional(Type.String()),
  pickupPointId: Type.Optional(Type.String()),
  /** The amount to collect from the recipient; absent for none. */
  cashOnDelivery: Type.Optional(Money),
  /** Absent when unknown. */
  weightGrams: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The contents of the parcel, for people. */
  contents: Type.String()
}, { additionalProperties: false })
export type NewShipment = Static<typeof NewShipment>

export const Shipment = Type.Object({ externalId: ExternalId, tracking: Tracking }, { additionalProperties: false })
export type Shipment = Static<typeof Shipment>

/** A label as the carrier prints it. */
export const ShippingLabel = Type.Object({ mediaType: Type.String(), contentBase64: Type.String() }, {
  additionalProperties: false
})
export type ShippingLabel = Static<typeof ShippingLabel>

export const ShipmentTracking = Type.Object({
  status: Type.Union([
    Type.Literal('created'),
    Type.Literal('in-transit'),
    Type.Literal('delivered'),
    Type.Literal('cancelled'),
    Type.Literal('failed')
  ]),
  tracking: Tracking
}, { additionalProperties: false })
export type ShipmentTracking = Static<typeof ShipmentTracking>
