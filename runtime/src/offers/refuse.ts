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
  const message = [...new Set(problems.map(inDetail))].join('; ')
  throw Object.assign(new InvalidOfferError(message), { errors: problems })
}

/** The detail has no pointers, so the name of the missing member goes before 'is required'. */
function inDetail ({ pointer, code, message }: ProblemDetail): string {
  const member = pointer.slice(pointer.lastIndexOf('/') + 1)
  return code === 'required' && message.startsWith('is ') && member !== '' ? `${member} ${message}` : message
}
