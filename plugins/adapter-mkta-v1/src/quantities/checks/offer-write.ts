import type { HttpClient, JobOutcome } from '@linker/sdk'
import type { MarketplaceContext } from '../../config.ts'
import { fetchOffer } from '../../offers/fetch.ts'
import { readOperation } from '../../offers/patch.ts'
import { forgetSoldOut } from '../../offers/quantity.ts'
import { parseOffer, problemsOf } from '../../offers/read.ts'
import { noteRepublish } from '../../offers/republish.ts'
import { isOvertaken } from '../changes.ts'
import { findForgottenJob } from '../find-forgotten.ts'
import { findOverlaps, findOverwritten } from '../overlaps.ts'
import { writeAgain } from '../send.ts'
import { isOverdue, listEarlierChecks } from '../store.ts'
import { abandon, attemptsToEnd, checkLater, finish, refuse, type Check } from './outcomes.ts'

/**
 * Checks a quantity that was written to the offer itself. The check waits for the commands that
 * were accepted before this write: one of them may set its own quantity afterwards, and the
 * marketplace would then sell more than there is.
 */
export async function checkOfferWrite (
  http: HttpClient,
  context: MarketplaceContext,
  check: Check
): Promise<JobOutcome> {
  const { commandId, command, attempt } = check
  const { operationId, offerIds: [offerId = ''], quantity, createdAt } = command
  const isUnderWay = operationId !== undefined && !(await readOperation(http, offerId, operationId)).isDone
  const earlier = isUnderWay ? [] : await listEarlierChecks(context.kv, command)
  if (isUnderWay || earlier.length > 0) {
    if (attempt >= attemptsToEnd) {
      return abandon(context, check, 'the marketplace has not finished the change in half an hour')
    }
    // The schedule would settle a forgotten command too, but minutes later.
    const forgotten = earlier.find(other => isOverdue(other, context.clock.now()))
    if (forgotten !== undefined) await context.jobs.enqueue(findForgottenJob, {}, { key: forgotten.dueAt })
    return checkLater(context, check)
  }
  // The marketplace may have carried out this write after a newer one.
  const overlaps = await findOverlaps(context.kv, command)
  if (overlaps.isOpen && attempt < attemptsToEnd) return checkLater(context, check)
  if (overlaps.ended.length > 0) return finish(context, check, [], await findOverwritten(http, command, overlaps))

  const offer = parseOffer(await fetchOffer(http, offerId))
  await noteRepublish(context.kv, offer)
  const { available } = offer.stock ?? {}
  // The stock may be lower than the written quantity when some of it was sold.
  const isThere = quantity === 0 ? available === 0 : (available ?? 0) <= quantity
  const problems = problemsOf(offer).map(({ code, message }) => `${code}: ${message}`).join('; ').slice(0, 500)
  // Other faults do not matter when the offer only has to end.
  if (problems !== '' && (quantity > 0 || !isThere)) return refuse(context, check, problems)
  if (!isThere && !await isOvertaken(context.kv, { offerId, createdAt })) {
    if (attempt >= attemptsToEnd) {
      return abandon(context, check, `the offer has more stock again after each write of ${quantity}`)
    }
    const written = await writeAgain(http, context, commandId, command)
    if (written !== undefined) return checkLater(context, { ...check, command: written })
  }
  if (quantity > 0) await forgetSoldOut(context, offerId)
  return finish(context, check)
}
