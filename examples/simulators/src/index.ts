export type {
  NewParcel as CarrierNewParcel,
  Parcel as CarrierParcel,
  ParcelStatus as CarrierParcelStatus
} from './carrier/parcels.ts'
export { startCarrier } from './carrier/start.ts'
export type { CarrierOptions, CarrierServer } from './carrier/start.ts'
export { createRandom } from './chance.ts'
export type { Chance } from './chance.ts'
export { createClock } from './clock.ts'
export type { Clock } from './clock.ts'
export type { Fault, Faults } from './faults.ts'
export type { Latency } from './latency.ts'
export type {
  CheckoutForm as MktACheckoutForm,
  PlacedCheckoutForm as MktAPlacedCheckoutForm
} from './mkta/checkout-form.ts'
export type { CommandField as MktACommandField } from './mkta/command-kinds.ts'
export type { Command as MktACommand, Task as MktATask } from './mkta/commands.ts'
export type { DeliveryMethod as MktADeliveryMethod, ShippingRates as MktAShippingRates } from './mkta/delivery.ts'
export type { Problem as MktAProblem } from './mkta/errors.ts'
export type { JournalAccidents as MktAJournalAccidents, OrderEvent as MktAOrderEvent } from './mkta/journal.ts'
export type { LimitCounts as MktALimitCounts, LimitSwitches as MktALimitSwitches } from './mkta/limits.ts'
export type { Consent as MktAConsent } from './mkta/oauth-routes.ts'
export type { OfferEvent as MktAOfferEvent, OfferEventType as MktAOfferEventType } from './mkta/offer-events.ts'
export type { Offer as MktAOffer, OfferMembers as MktAOfferMembers } from './mkta/offer.ts'
export type { NewOffer as MktANewOffer, NewOfferEvent as MktANewOfferEvent } from './mkta/offers.ts'
export type { NewOrderEvent as MktANewOrderEvent } from './mkta/orders.ts'
export type { Carrier as MktACarrier, Shipment as MktAShipment } from './mkta/shipments.ts'
export { startMktA } from './mkta/start.ts'
export type { MktA, MktAHost, MktAOptions, MktASwitches } from './mkta/start.ts'
export type {
  Account as MktAAccount,
  Application as MktAApplication,
  TokenPair as MktATokenPair,
  TokenRequest as MktATokenRequest
} from './mkta/tokens.ts'
export type { HookAccidents as MktBHookAccidents } from './mktb/announcements.ts'
export type { DeliveryMethod as MktBDeliveryMethod, PriceList as MktBPriceList } from './mktb/delivery.ts'
export type { Hook as MktBHook, HookDelivery as MktBHookDelivery, HookName as MktBHookName } from './mktb/hooks.ts'
export type { InboxMessage as MktBInboxMessage, NewInboxMessage as MktBNewInboxMessage } from './mktb/inbox.ts'
export type { OrderDesk as MktBOrderDesk } from './mktb/order-desk.ts'
export type { Order as MktBOrder, PlacedOrder as MktBPlacedOrder } from './mktb/order.ts'
export type { Parcel as MktBParcel } from './mktb/parcels.ts'
export type { Product as MktBProduct, ProductMembers as MktBProductMembers } from './mktb/products.ts'
export { startMktB } from './mktb/start.ts'
export type { MktB, MktBOptions } from './mktb/start.ts'
export type { LoggedRequest, RequestLog, RequestMatch } from './request-log.ts'
export type { BackOffice, Quantity } from './shopa/back-office.ts'
export { generateCatalog } from './shopa/generate-catalog.ts'
export type { CatalogSize } from './shopa/generate-catalog.ts'
export type { OrderOffice, ShopOrder } from './shopa/order-office.ts'
export type { OutboxRow } from './shopa/outbox.ts'
export type { CombinationInput, ProductInput } from './shopa/product-rows.ts'
export { manyCombinations, sampleProducts } from './shopa/sample-products.ts'
export { sampleSupporting } from './shopa/sample-supporting.ts'
export type { Supporting } from './shopa/sample-supporting.ts'
export type { SenderConfiguration, SenderSwitches } from './shopa/sender-configuration.ts'
export type { Delivery, Sender, ShopEvent } from './shopa/sender.ts'
export type { Switches as ShopASwitches } from './shopa/routes.ts'
export type { SupportingInput } from './shopa/state.ts'
export { startShopA } from './shopa/start.ts'
export type { ShopA, ShopAOptions } from './shopa/start.ts'
