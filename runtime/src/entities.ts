import { ApiToken, SignInCode } from './access/entity.ts'
import { ConnectionCursor, ConnectionLock, ConnectionValue, PlatformDefault } from './adapters/entity.ts'
import { AlertChannel, AlertTelling } from './alerts/entity.ts'
import { AuditEntry } from './audit/entity.ts'
import { Product, Variant } from './catalog/entity.ts'
import { AccountKey } from './connections/accounts/entity.ts'
import { Connection, ConnectionSnapshot } from './connections/entity.ts'
import { ConnectionPause } from './connections/pauses/entity.ts'
import { AuthorisationReturn, Credential, Flow } from './credentials/entity.ts'
import { HubVersion } from './database/entity.ts'
import { IgnoredEvent, WebhookReceipt } from './events/entity.ts'
import { Figure, Sample } from './figures/entity.ts'
import { RoutingRuleRow, RoutingRuleSet } from './fulfilment/entity.ts'
import { IdempotencyKey } from './http/entity.ts'
import { Job } from './jobs/entity.ts'
import { JobHold } from './jobs/holds/entity.ts'
import { Redrive, RedriveJob } from './jobs/redrive/entity.ts'
import { FormerLink, Offer, OfferBatch, OfferBatchItem, UnlinkedOffer } from './offers/entity.ts'
import { Order, OrderHistory, OrderLine, Shipment } from './orders/entity.ts'
import { Restore } from './orders/restores/entity.ts'
import { OrderRemoval } from './orders/retention/entity.ts'
import { ConnectionSchedule } from './schedules/entity.ts'
import { Stock, Sweep, SweepPage } from './stock/entity.ts'
import { StreamMessage } from './streams/entity.ts'
import { LogLevel, Process } from './system/entity.ts'
import { UpstreamState } from './upstream/entity.ts'
import { WebhookSecret } from './webhooks/entity.ts'
import { WebhookRefusal } from './webhooks/refusals/entity.ts'

/**
 * Every entity of the hub. The database lies below their folders, so it gets the entities as an
 * argument.
 */
export const entities = [
  HubVersion,
  IdempotencyKey,
  ApiToken,
  SignInCode,
  AuditEntry,
  Figure,
  Sample,
  Process,
  LogLevel,
  StreamMessage,
  Job,
  JobHold,
  Redrive,
  RedriveJob,
  UpstreamState,
  PlatformDefault,
  ConnectionCursor,
  ConnectionLock,
  ConnectionValue,
  Credential,
  Flow,
  AuthorisationReturn,
  Connection,
  ConnectionSnapshot,
  ConnectionPause,
  AccountKey,
  ConnectionSchedule,
  WebhookSecret,
  WebhookRefusal,
  WebhookReceipt,
  IgnoredEvent,
  Product,
  Variant,
  Stock,
  Sweep,
  SweepPage,
  Offer,
  OfferBatch,
  OfferBatchItem,
  UnlinkedOffer,
  FormerLink,
  Order,
  OrderLine,
  OrderHistory,
  Shipment,
  Restore,
  OrderRemoval,
  RoutingRuleSet,
  RoutingRuleRow,
  AlertChannel,
  AlertTelling
]
