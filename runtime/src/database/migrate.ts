import type { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
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

/** All migrations, in the order in which they run. */
export const migrationsList = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-idempotency', class: Idempotency },
  { name: '0003-adapter-state', class: AdapterState },
  { name: '0004-stock-sweeps', class: StockSweeps },
  { name: '0005-offers', class: Offers },
  { name: '0006-webhook-installs', class: WebhookInstalls },
  { name: '0007-orders', class: Orders },
  { name: '0008-flows', class: Flows },
  { name: '0009-creation-attempts', class: CreationAttempts },
  { name: '0010-stream-connections', class: StreamConnections },
  { name: '0011-ignored-events', class: IgnoredEvents },
  { name: '0012-unlinked-offers', class: UnlinkedOffers },
  { name: '0013-shared-lines', class: SharedLines },
  { name: '0014-released-orders', class: ReleasedOrders },
  { name: '0015-problem-codes', class: ProblemCodes },
  { name: '0016-one-ledger', class: OneLedger },
  { name: '0017-job-holds', class: JobHolds }
]

const migrationLock = 7_201_611

/**
 * Lets processes that start together migrate one after the other. The embedded database does not
 * need this, because its directory lock admits one process only.
 */
export async function migrateUnderLock (orm: MikroORM, pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await orm.migrator.up()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}
