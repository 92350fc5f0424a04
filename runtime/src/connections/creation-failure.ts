import { toStoreFailure } from '../credentials/store-failure.ts'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import { ConnectionCreationFailedError } from '../errors.ts'

/**
 * Turns a failure inside the hub into `Connection creation failed` (specification, section 7.3). An
 * error of the error table and a database that does not answer stay as they are: they tell the
 * client more.
 */
export function toCreationFailure (error: unknown): unknown {
  const failure = toStoreFailure(error)
  const isKnown = failure instanceof Error && 'code' in failure && String(failure.code).startsWith('LNK_')
  return isKnown || isInfrastructureError(failure)
    ? failure
    : Object.assign(new ConnectionCreationFailedError(), { cause: failure })
}
