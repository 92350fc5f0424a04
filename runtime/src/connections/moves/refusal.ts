import type { SchemaProblem } from '@linker/sdk/host'
import { MoveRefusedError, type MoveUnconfirmedError } from '../../errors.ts'

/** The error that names each reason against a move. */
export function refusal (
  reasons: readonly SchemaProblem[],
  Refusal: typeof MoveRefusedError | typeof MoveUnconfirmedError = MoveRefusedError
): Error {
  return Object.assign(new Refusal(reasons.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join('; ')), {
    errors: reasons
  })
}

/** The error for a connection that is no longer what the preflight judged. */
export function staleRefusal (): Error {
  return refusal([{ pointer: '', code: 'changed', message: 'another request changed the connection at the same time' }])
}
