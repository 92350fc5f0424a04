import { UnauthorizedError } from '../errors.ts'
import type { Caller } from '../http/authentication.ts'

/** The caller of a route that needs a token. */
export function callerOf ({ caller }: { caller: Caller | null }): Caller {
  if (caller === null) throw new UnauthorizedError()
  return caller
}
