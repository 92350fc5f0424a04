import { capabilityContract } from './capabilities.ts'
import { connectionContract } from './connections.ts'
import { cursorContract } from './cursors.ts'
import { flowContract } from './flows.ts'
import type { ContractTest } from './host-under-test.ts'
import { jobContract } from './jobs.ts'
import { lockContract } from './locks.ts'
import { oauthContract } from './oauth.ts'
import { telemetryContract } from './telemetry.ts'
import { valueContract } from './values.ts'

/**
 * The behaviour of every host of adapters, for any services and in any thread. Each test opens
 * connections of its own.
 */
export const hostContract: readonly ContractTest[] = [
  ...valueContract,
  ...cursorContract,
  ...jobContract,
  ...capabilityContract,
  ...lockContract,
  ...oauthContract,
  ...telemetryContract,
  ...flowContract,
  ...connectionContract
]
