export { adapterTag, contractVersion, defineAdapter, defineJob } from './adapter.ts'
export type {
  Adapter,
  AdapterDefinition,
  AuthorisationDefinition,
  CapabilityFactories,
  ConfigHost,
  ConfigMigration,
  InitHost,
  Job,
  JobDefinition,
  JobDefinitions,
  JobOutcome,
  OnlyCapabilities,
  RequestBudget,
  ScheduleDefinition,
  TaggedAdapter,
  TestResult,
  WebhooksDefinition
} from './adapter.ts'
export { requiredMethods } from './capabilities/capabilities.ts'
export type { Capabilities, CapabilityName } from './capabilities/capabilities.ts'
export { carrierCapability } from './capabilities/carrier.ts'
export type { Carrier } from './capabilities/carrier.ts'
export type { InventoryMaster } from './capabilities/inventory-master.ts'
export type { Marketplace } from './capabilities/marketplace.ts'
export type { FormerOfferManager, OfferManager } from './capabilities/offer-manager.ts'
export type { OrderProcessorManager } from './capabilities/order-processor-manager.ts'
export type { OrderSource } from './capabilities/order-source.ts'
export type { ProductMaster } from './capabilities/product-master.ts'
export type {
  CalledCapability,
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
  OAuthCredentials,
  VendorCapabilityName
} from './context.ts'
export { connectionRoute, platformRoute } from './define-route.ts'
export type {
  ConnectionRoute,
  ConnectionRouteHost,
  NoSchemas,
  PathParameters,
  PlatformRoute,
  PlatformRouteHost,
  RouteSchemas,
  RouteTerms,
  TypedOr,
  TypedRouteRequest
} from './define-route.ts'
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
  TransientError,
  UnavailableError,
  WriteUnderWayError
} from './errors.ts'
export type { AdapterErrorOptions } from './errors.ts'
export type {
  FindToken,
  GetOptions,
  HttpClient,
  HttpClientFactory,
  HttpClientOptions,
  HttpRequest,
  HttpResponse
} from './http/http.ts'
export { HubJobType } from './hub-job-type.ts'
export { isPublicImageUrl } from './image-url.ts'
export { adapterKeyPattern, Manifest, Permissions } from './manifest.ts'
export { addMoney, multiplyMoney } from './money.ts'
export { pageSize, positionOf, toPage } from './paging.ts'
export type { PageEnd } from './paging.ts'
export { readPlatformSettings } from './platform-settings.ts'
export { platformTypePattern } from './platform-type.ts'
export { quoteAnswer } from './quote-answer.ts'
export type { QuoteOptions } from './quote-answer.ts'
export { readRows } from './read-rows.ts'
export type { RowsOptions } from './read-rows.ts'
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
export { Account } from './schemas/account.ts'
export { ExternalId, FieldError, Money, Nullable, Timestamp } from './schemas/values.ts'
export { Product, StockLevel, TaxRate, Variant, VariantOption } from './schemas/product.ts'
export {
  Description,
  DispatchTime,
  NewOffer,
  Offer,
  OfferPatch,
  OfferWriteResult,
  QuantityChange,
  QuantityChangeResult,
  RefusedQuantity,
  StockWrite,
  StockWriteResult
} from './schemas/offer.ts'
export {
  Address,
  CreatedOrder,
  DeliveryMethod,
  NewOrder,
  NewOrderLine,
  Order,
  OrderChanges,
  OrderEvent,
  OrderEventPage,
  OrderExtra,
  OrderLine,
  OrderPayment,
  Tracking,
  UpdatedOrder,
  WriteBack
} from './schemas/order.ts'
export { NewShipment, Shipment, ShipmentTracking, ShippingLabel } from './schemas/shipment.ts'
export type { Page, PageRequest } from './schemas/values.ts'
export type { OrderStatusChange } from './schemas/order.ts'
export { parseJson } from './parse-json.ts'
export { toTimestamp } from './timestamp.ts'
export { splitTrackingNumbers } from './tracking-numbers.ts'
export {
  createSigningKey,
  isSignature,
  signatureHeader,
  signWebhook,
  timestampHeader,
  verifyWebhook,
  webhookBodyLimitBytes
} from './webhook-signature.ts'
export type {
  WebhookAccepted,
  WebhookAnswerHmac,
  WebhookAnswerText,
  WebhookAuthentication,
  WebhookBasic,
  WebhookBearer,
  WebhookBodyForm,
  WebhookChallenge,
  WebhookChallengeAnswer,
  WebhookChallengeCondition,
  WebhookChallengePlace,
  WebhookDelivery,
  WebhookFunction,
  WebhookHmac,
  WebhookInstallation,
  WebhookJwt,
  WebhookPair,
  WebhookPlace,
  WebhookPlaces,
  WebhookQueryToken,
  WebhookSecretForm,
  WebhookSignaturePlace,
  WebhookSignedPart,
  WebhookSource,
  WebhookTimestamp,
  WebhookVerification
} from './webhooks.ts'
export { windowedEventId, type WindowedEvent } from './windowed-event-id.ts'
