export { adapterTag, contractVersion, defineAdapter, defineJob } from './adapter.ts'
export type {
  Adapter, AdapterDefinition, ConfigMigration, InitHost, Job, JobDefinition, JobOutcome, ScheduleDefinition, TaggedAdapter, TestResult
} from './adapter.ts'
export { requiredMethods } from './capabilities/capabilities.ts'
export type { Capabilities, CapabilityName } from './capabilities/capabilities.ts'
export type { InventoryMaster } from './capabilities/inventory-master.ts'
export type { Marketplace } from './capabilities/marketplace.ts'
export type { OfferManager } from './capabilities/offer-manager.ts'
export type { OrderProcessorManager } from './capabilities/order-processor-manager.ts'
export type { OrderSource } from './capabilities/order-source.ts'
export type { ProductMaster } from './capabilities/product-master.ts'
export type { Context, Cursors, EnqueueOptions, JobQueue, KeyValueStore, Locks, Log, Metrics, OAuth, OAuthCredentials } from './context.ts'
export {
  AdapterError, AdapterErrorCode, AuthenticationError, ConfigurationError, isAdapterError, NotFoundError, OutcomeUnknownError,
  RateLimitedError, RejectedError, TransientError
} from './errors.ts'
export type { AdapterErrorOptions, FieldError } from './errors.ts'
export { createAddressPolicy } from './http/address-policy.ts'
export type { AddressPolicy, AddressPolicyOptions, ResolveAll } from './http/address-policy.ts'
export { createHttpClientFactory } from './http/client.ts'
export type { HttpHost, HttpRequestEvent } from './http/client.ts'
export type { HttpClient, HttpClientFactory, HttpClientOptions, HttpRequest, HttpResponse } from './http/http.ts'
export { adapterKeyPattern, Manifest, Permissions, platformTypePattern } from './manifest.ts'
export { createRedactor } from './redact.ts'
export type { RouteAnswer, RouteDefinition, RouteHost, RouteRequest } from './route.ts'
export {
  Address, DeliveryMethod, Description, ExternalId, Money, NewOffer, Offer, OfferPatch, OfferWriteResult, Order, OrderEvent, OrderLine,
  Product, StockLevel, Timestamp, Variant
} from './schemas.ts'
export type { OrderStatusChange, Page, PageRequest, Tracking } from './schemas.ts'
export {
  createSigningKey, isSignature, signatureHeader, signWebhook, timestampHeader, verifyWebhook, webhookBodyLimitBytes
} from './webhook-signature.ts'
