import { InvalidOfferError } from '../errors.ts'
import type { ProblemDetail } from '../http/problem.ts'

/**
 * Throws `InvalidOfferError` when there are problems. The message is the platform's own, so that a
 * client can look for it; the pointers say where. Variants of one product share their problems:
 * each one is reported once.
 */
export function refuse (found: readonly ProblemDetail[]): void {
  const problems = [...new Map(found.map(problem => [`${problem.pointer}\n${problem.message}`, problem])).values()]
  if (problems.length === 0) return
  const message = [...new Set(problems.map(problem => problem.message))].join('; ')
  throw Object.assign(new InvalidOfferError(message), { errors: problems })
}
