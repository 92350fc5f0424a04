import { toStoreFailure } from '../credentials/store-failure.ts'
import { ConnectionCreationFailedError } from '../errors.ts'
import { isInfrastructureError } from '../streams/infrastructure-error.ts'

/**
 * What the client learns of a creation that failed inside (specification, section 7.3). An error that says more stays as
 * it is: one of the error table, and a database that does not answer.
 */
export function toCreationFailure (error: unknown): unknown {
  const failure = toStoreFailure(error)
  const isKnown = failure instanceof Error && 'code' in failure && String(failure.code).startsWith('LNK_')
  return isKnown || isInfrastructureError(failure) ? failure : Object.assign(new ConnectionCreationFailedError(), { cause: failure })
}
