import { randomUUID } from 'node:crypto'
import { RestError, type Problem } from './errors.ts'
import type { OfferMembers } from './offer.ts'
import type { Offers } from './offers.ts'
import type { Schedule } from './schedule.ts'

export interface Operation {
  id: string
  offerId: string
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
  /** The reasons of a failure. */
  problems: readonly Problem[]
  startedAt: string
}

export interface OperationSwitches {
  /**
   * The answer of an operation that failed: 422 with its errors, or 303 to the offer, whose
   * `validation.errors` tell why. Default `refused`.
   */
  failedOperation: 'refused' | 'redirect'
}

export interface OperationsOptions {
  now: () => Date
  schedule: Schedule
  offers: Offers
  processingMs: () => number
  switches: OperationSwitches
}

/**
 * Makes the store of operations: changes of offers that the marketplace accepts at once and writes
 * later, one at a time for each offer. A failed operation changes nothing.
 */
export function createOperations ({ now, schedule, offers, processingMs, switches }: OperationsOptions) {
  const operations = new Map<string, Operation>()
  const underWay = new Set<string>()
  const failing = new Map<string, Problem[]>()

  function start (offerId: string, members: OfferMembers): Operation {
    const operation: Operation = {
      id: randomUUID(),
      offerId,
      status: 'IN_PROGRESS',
      problems: [],
      startedAt: now().toISOString()
    }
    operations.set(operation.id, operation)
    underWay.add(offerId)
    schedule.plan(now().getTime() + processingMs(), () => finish(operation, members))
    return operation
  }

  function finish (operation: Operation, members: OfferMembers): void {
    const problems = failing.get(operation.offerId)
    failing.delete(operation.offerId)
    if (problems === undefined) offers.update(operation.offerId, members)
    else if (switches.failedOperation === 'redirect') offers.showProblems(operation.offerId, problems)
    operation.status = problems === undefined ? 'COMPLETED' : 'FAILED'
    operation.problems = problems ?? []
    underWay.delete(operation.offerId)
  }

  function checkIdle (offerId: string): void {
    if (underWay.has(offerId)) {
      throw new RestError(409, {
        code: 'OfferOperationInProgress',
        message: `Another operation on offer ${offerId} is in progress`
      })
    }
  }

  function get (offerId: string, id: string): Operation {
    const operation = operations.get(id)
    if (operation?.offerId !== offerId) {
      throw new RestError(404, { code: 'NotFound', message: `Operation ${id} not found` })
    }
    return operation
  }

  function failNext (
    offerId: string,
    problems: Problem[] = [{ code: 'OfferProcessingException', message: 'The offer could not be processed' }]
  ): void {
    failing.set(offerId, problems)
  }

  return { start, checkIdle, get, failNext }
}

export type Operations = ReturnType<typeof createOperations>
