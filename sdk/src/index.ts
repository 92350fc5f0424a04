export { adapterTag, contractVersion, defineAdapter, defineJob } from './adapter.ts'
export type {
  Adapter,
  AdapterDefinition,
  ConfigHost,
  ConfigMigration,
  InitHost,
  Job,
  JobDefinition,
  JobOutcome,
  ScheduleDefinition,
  TaggedAdapter,
  TestResult,
  WebhookBodyForm,
  WebhookInstallation
} from './adapter.ts'
export { requiredMethods } from './capabilities/capabilities.ts'
export type { Capabilities, CapabilityName } from './capabilities/capabilities.ts'
export { carrierCapability } from './capabilities/carrier.ts'
export type { Carrier } from './capabilities/carrier.ts'
export type { InventoryMaster } from './capabilities/inventory-master.ts'
export type { Marketplace } from './capabilities/marketplace.ts'
export type { OfferManager } from './capabilities/offer-manager.ts'
export type { OrderProcessorManager } from './capabilities/order-processor-manager.ts'
export type { OrderSource } from './capabilities/order-source.ts'
export type { ProductMaster } from './capabilities/product-master.ts'
export type {
  CommittedCursor,
  Context,
  Cursors,
  EnqueueOptions,
  JobQueue,
  KeyValueStore,
  ListOptions,
  Locks,
  Log,
  Metrics,
  OAuth,
  OAuthCredentials
} from './context.ts'
export {
  AdapterError,
  AdapterErrorCode,
  AuthenticationError,
  ConfigurationError,
  isAdapterError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError
} from './errors.ts'
export type { AdapterErrorOptions } from './errors.ts'
export type { HttpClient, HttpClientFactory, HttpClientOptions, HttpRequest, HttpResponse } from './http/http.ts'
export { isPublicImageUrl } from './image-url.ts'
export { adapterKeyPattern, Manifest, Permissions, platformTypePattern } from './manifest.ts'
export { createRedactor } from './redact.ts'
export type {
  Flows,
  NewConnection,
  PlatformConnection,
  PlatformConnections,
  RouteAnswer,
  RouteDefinition,
  RouteHost,
  RouteProblem,
  RouteRequest
} from './route.ts'
export {
  Address,
  CreatedOrder,
  DeliveryMethod,
  Description,
  DispatchTime,
  ExternalId,
  FieldError,
  Money,
  NewOffer,
  NewOrder,
  NewOrderLine,
  NewShipment,
  Offer,
  OfferPatch,
  OfferWriteResult,
  Order,
  OrderEvent,
  OrderEventPage,
  OrderLine,
  Product,
  QuantityChange,
  RefusedQuantity,
  Shipment,
  ShipmentTracking,
  ShippingLabel,
  StockLevel,
  StockWrite,
  StockWriteResult,
  Timestamp,
  Tracking,
  Variant,
  VariantOption,
  WriteBack
} from './schemas.ts'
export type { OrderStatusChange, Page, PageRequest } from './schemas.ts'
export { toTimestamp } from './timestamp.ts'
export {
  createSigningKey,
  isSignature,
  signatureHeader,
  signWebhook,
  timestampHeader,
  verifyWebhook,
  webhookBodyLimitBytes
} from './webhook-signature.ts'
export { windowedEventId, type WindowedEvent } from './windowed-event-id.ts'
