import type { RouteDescription } from '@linker/sdk/host'
import { createReadInput, mostInputProblems, type GivenInput, type RouteInput } from '@linker/sdk/host/routes'
import { InvalidRequestError } from '../errors.ts'
import { findUnstorable } from '../http/json-limits.ts'
import { refusal } from '../http/refusal.ts'

/**
 * Returns the parts of a request as the handler gets them. Throws a 400 that points to each
 * problem.
 */
export type CheckInput = (given: GivenInput) => RouteInput

export function createCheckInput (description: Pick<RouteDescription, 'schema'>): CheckInput {
  const readInput = createReadInput(description)
  return function checkInput (given) {
    const { input, problems } = readInput(given)
    const all = [...findUnstorable({ params: given.params, querystring: given.query }), ...problems]
    if (all.length > 0) throw refusal(all.slice(0, mostInputProblems), InvalidRequestError)
    return input
  }
}
