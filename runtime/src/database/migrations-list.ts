import type { Migration } from '@mikro-orm/migrations'
import { migrationNames, type MigrationName } from './migration-names.ts'
import { Foundation } from './migrations/0001-foundation.ts'
import { Idempotency } from './migrations/0002-idempotency.ts'
import { AdapterState } from './migrations/0003-adapter-state.ts'
import { StockSweeps } from './migrations/0004-stock-sweeps.ts'
import { Offers } from './migrations/0005-offers.ts'
import { WebhookInstalls } from './migrations/0006-webhook-installs.ts'
import { Orders } from './migrations/0007-orders.ts'
import { Flows } from './migrations/0008-flows.ts'
import { CreationAttempts } from './migrations/0009-creation-attempts.ts'
import { StreamConnections } from './migrations/0010-stream-connections.ts'
import { IgnoredEvents } from './migrations/0011-ignored-events.ts'
import { UnlinkedOffers } from './migrations/0012-unlinked-offers.ts'
import { SharedLines } from './migrations/0013-shared-lines.ts'
import { ReleasedOrders } from './migrations/0014-released-orders.ts'
import { ProblemCodes } from './migrations/0015-problem-codes.ts'
import { OneLedger } from './migrations/0016-one-ledger.ts'
import { JobHolds } from './migrations/0017-job-holds.ts'
import { ApiTokens } from './migrations/0018-api-tokens.ts'
import { Audit } from './migrations/0019-audit.ts'
import { PastMoves } from './migrations/0020-past-moves.ts'
import { DeletedConnections } from './migrations/0021-deleted-connections.ts'
import { Pauses } from './migrations/0022-pauses.ts'
import { OperatedJobs } from './migrations/0023-operated-jobs.ts'
import { WebhookDeliveries } from './migrations/0024-webhook-deliveries.ts'
import { Redrives } from './migrations/0025-redrives.ts'
import { OrderRetries } from './migrations/0026-order-retries.ts'
import { OffersAndSearch } from './migrations/0028-offers-and-search.ts'
import { UpstreamStates } from './migrations/0029-upstream-states.ts'
import { Alerts } from './migrations/0030-alerts.ts'
import { Restores } from './migrations/0031-restores.ts'
import { PersonalData } from './migrations/0032-personal-data.ts'
import { Operation } from './migrations/0033-operation.ts'
import { HubVersions } from './migrations/0034-hub-versions.ts'
import { AwayAdapters } from './migrations/0037-away-adapters.ts'
import { OrderRetention } from './migrations/0039-order-retention.ts'
import { WebhookRules } from './migrations/0042-webhook-rules.ts'
import { LagReadings } from './migrations/0043-lag-readings.ts'
import { WebhookPings } from './migrations/0044-webhook-pings.ts'
import { KindsOfStock } from './migrations/0045-kinds-of-stock.ts'
import { InstallWarnings } from './migrations/0046-install-warnings.ts'
import { SignInCodes } from './migrations/0047-sign-in-codes.ts'
import { AuthorisationReturns } from './migrations/0048-authorisation-returns.ts'
import { ConsoleLists } from './migrations/0049-console-lists.ts'
import { OrderProblems } from './migrations/0050-order-problems.ts'
import { ProcessModes } from './migrations/0051-process-modes.ts'
import { UnreadableKeys } from './migrations/0052-unreadable-keys.ts'
import { ConsolePages } from './migrations/0053-console-pages.ts'
import { Accounts } from './migrations/0054-accounts.ts'
import { PlatformDefaults } from './migrations/0066-platform-defaults.ts'
import { ReturnRequests } from './migrations/0067-return-requests.ts'
import { RefreshRefusals } from './migrations/0068-refresh-refusals.ts'
import { ShopReadings } from './migrations/0069-shop-readings.ts'
import { UnavailablePlatforms } from './migrations/0070-unavailable-platforms.ts'
import { UnknownOrders } from './migrations/0072-unknown-orders.ts'
import { TaxRates } from './migrations/0074-tax-rates.ts'
import { UntoldOrders } from './migrations/0075-untold-orders.ts'
import { RefusedQuantities } from './migrations/0076-refused-quantities.ts'
import { OrderPayments } from './migrations/0077-order-payments.ts'
import { ChangedOrders } from './migrations/0080-changed-orders.ts'
import { OrderReaders } from './migrations/0081-order-readers.ts'
import { SwitchedVariants } from './migrations/0085-switched-variants.ts'
import { AttentionIndexes } from './migrations/0088-attention-indexes.ts'
import { ConnectionSettings } from './migrations/0092-connection-settings.ts'
import { StockJumps } from './migrations/0093-stock-jumps.ts'

type MigrationClass = new(...args: ConstructorParameters<typeof Migration>) => Migration

const classes: Readonly<Record<MigrationName, MigrationClass>> = {
  '0001-foundation': Foundation,
  '0002-idempotency': Idempotency,
  '0003-adapter-state': AdapterState,
  '0004-stock-sweeps': StockSweeps,
  '0005-offers': Offers,
  '0006-webhook-installs': WebhookInstalls,
  '0007-orders': Orders,
  '0008-flows': Flows,
  '0009-creation-attempts': CreationAttempts,
  '0010-stream-connections': StreamConnections,
  '0011-ignored-events': IgnoredEvents,
  '0012-unlinked-offers': UnlinkedOffers,
  '0013-shared-lines': SharedLines,
  '0014-released-orders': ReleasedOrders,
  '0015-problem-codes': ProblemCodes,
  '0016-one-ledger': OneLedger,
  '0017-job-holds': JobHolds,
  '0018-api-tokens': ApiTokens,
  '0019-audit': Audit,
  '0020-past-moves': PastMoves,
  '0021-deleted-connections': DeletedConnections,
  '0022-pauses': Pauses,
  '0023-operated-jobs': OperatedJobs,
  '0024-webhook-deliveries': WebhookDeliveries,
  '0025-redrives': Redrives,
  '0026-order-retries': OrderRetries,
  '0028-offers-and-search': OffersAndSearch,
  '0029-upstream-states': UpstreamStates,
  '0030-alerts': Alerts,
  '0031-restores': Restores,
  '0032-personal-data': PersonalData,
  '0033-operation': Operation,
  '0034-hub-versions': HubVersions,
  '0037-away-adapters': AwayAdapters,
  '0039-order-retention': OrderRetention,
  '0042-webhook-rules': WebhookRules,
  '0043-lag-readings': LagReadings,
  '0044-webhook-pings': WebhookPings,
  '0045-kinds-of-stock': KindsOfStock,
  '0046-install-warnings': InstallWarnings,
  '0047-sign-in-codes': SignInCodes,
  '0048-authorisation-returns': AuthorisationReturns,
  '0049-console-lists': ConsoleLists,
  '0050-order-problems': OrderProblems,
  '0051-process-modes': ProcessModes,
  '0052-unreadable-keys': UnreadableKeys,
  '0053-console-pages': ConsolePages,
  '0054-accounts': Accounts,
  '0066-platform-defaults': PlatformDefaults,
  '0067-return-requests': ReturnRequests,
  '0068-refresh-refusals': RefreshRefusals,
  '0069-shop-readings': ShopReadings,
  '0070-unavailable-platforms': UnavailablePlatforms,
  '0072-unknown-orders': UnknownOrders,
  '0074-tax-rates': TaxRates,
  '0075-untold-orders': UntoldOrders,
  '0076-refused-quantities': RefusedQuantities,
  '0077-order-payments': OrderPayments,
  '0080-changed-orders': ChangedOrders,
  '0081-order-readers': OrderReaders,
  '0085-switched-variants': SwitchedVariants,
  '0088-attention-indexes': AttentionIndexes,
  '0092-connection-settings': ConnectionSettings,
  '0093-stock-jumps': StockJumps
}

/**
 * All migrations, in the order in which they run. Import this module only when one is missing:
 * loading it takes about a tenth of a start.
 */
export const migrationsList = migrationNames.map(name => ({ name, class: classes[name] }))
