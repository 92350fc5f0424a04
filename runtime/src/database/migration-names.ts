/** The names of all migrations, in the order in which they run. */
export const migrationNames = [
  '0001-foundation',
  '0002-idempotency',
  '0003-adapter-state',
  '0004-stock-sweeps',
  '0005-offers',
  '0006-webhook-installs',
  '0007-orders',
  '0008-flows',
  '0009-creation-attempts',
  '0010-stream-connections',
  '0011-ignored-events',
  '0012-unlinked-offers',
  '0013-shared-lines',
  '0014-released-orders',
  '0015-problem-codes',
  '0016-one-ledger',
  '0017-job-holds',
  '0018-api-tokens',
  '0019-audit',
  '0020-past-moves',
  '0021-deleted-connections',
  '0022-pauses',
  '0023-operated-jobs',
  '0024-webhook-deliveries',
  '0025-redrives',
  '0026-order-retries',
  '0028-offers-and-search',
  '0029-upstream-states',
  '0034-hub-versions'
] as const

export type MigrationName = typeof migrationNames[number]
