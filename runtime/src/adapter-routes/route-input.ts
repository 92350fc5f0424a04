import type { RouteDescription } from '@linker/sdk/host'
import { createReadInput, type GivenInput, type RouteInput } from '@linker/sdk/host/routes'
import { InvalidRequestError } from '../errors.ts'
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
    if (problems.length > 0) throw refusal(problems, InvalidRequestError)
    return input
  }
}
