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
 * What every host of adapters does, whatever its services are made of and whatever thread the
 * adapter runs in. Each test makes connections of its own.
 */
export const hostContract: readonly ContractTest[] = [
  ...valueContract,
  ...cursorContract,
  ...jobContract,
  ...lockContract,
  ...oauthContract,
  ...telemetryContract,
  ...flowContract,
  ...connectionContract
]
