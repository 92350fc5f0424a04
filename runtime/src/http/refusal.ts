import type { SchemaProblem } from '@linker/sdk/host'
import { InvalidConnectionError, type InvalidRequestError } from '../errors.ts'
import { describeDetails } from './problem.ts'

/** The 400 that names each problem by its JSON pointer. */
export function refusal (
  problems: readonly SchemaProblem[],
  Refusal: typeof InvalidConnectionError | typeof InvalidRequestError = InvalidConnectionError
): Error {
  return Object.assign(new Refusal(describeDetails(problems)), { errors: problems })
}
