import { AdapterErrorCode, type RefusedQuantity } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { endLater } from '../jobs/operation/store.ts'
import type { OfferProblem, OfferProblemCode } from './problem-codes.ts'
import { quantityKey } from './quantity-jobs.ts'
import { addProblem, addQuantityProblem, forgetQuantities, markFailed, type OfferOfJob } from './store.ts'

// The hub notes its own problems on an offer, beside those that the marketplace shows.

/** The problem of an offer that was linked although the hub could not look at it. */
export function notLookedUpProblem (reason: string): OfferProblem {
  return { code: 'not-looked-up', detail: `the hub could not check the offer at the marketplace: ${reason}` }
}

/**
 * Stores that a marketplace first took quantities and then refused them. The hub does not know the
 * quantity of such an offer any more, and the job that wrote it dies, as if the marketplace had
 * refused the quantity at once. A refusal of a quantity that is not the last one written comes too
 * late to matter.
 */
export async function storeRefused (
  query: Query,
  connectionId: string,
  found: readonly RefusedQuantity[]
): Promise<void> {
  if (found.length === 0) return
  const problems = found.map(({ message, ...refusal }) => ({
    ...refusal,
    problem: problemOf('quantity-refused', `the marketplace refused the quantity: ${message}`)
  }))
  const rows = [...new Map(problems.map(row => [`${row.externalId}\n${row.quantity}`, row])).values()]
  const forgotten = await forgetQuantities(query, connectionId, rows)
  await endLater(
    query,
    forgotten.flatMap(({ version, linkVersion, problem: { detail }, ...offer }) =>
      version === null || linkVersion === null ? [] : [{
        id: jobIdOf(quantityKey({ ...offer, version, linkVersion })),
        problem: { code: AdapterErrorCode.rejected, message: detail }
      }]
    )
  )
}

/** Notes why the creation job of a draft died. Does nothing when the marketplace has the offer. */
export async function noteNotCreated (
  query: Query,
  offerId: string,
  jobId: string,
  details: readonly string[]
): Promise<void> {
  await markFailed(query, offerId, jobId, details.map(detail => problemOf('not-created', detail)))
}

/**
 * Notes that the quantity was not written because its job died. Does nothing when another job has
 * written it meanwhile, or when the offer has ended.
 */
export async function noteQuantityNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  await addQuantityProblem(query, of, problemOf('quantity-not-written', `the quantity was not written: ${reason}`))
}

/**
 * Notes that the change of an operator was not written because its job died. The note stays until
 * the next change is written or the offer is read.
 */
export async function noteChangeNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  await addProblem(query, of, problemOf('change-not-written', `the change was not written: ${reason}`))
}

/** Notes that the offer was not ended because its job died. */
export async function noteNotEnded (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  await addProblem(query, of, problemOf('not-ended', `the offer was not ended: ${reason}`))
}

function problemOf (code: OfferProblemCode, detail: string): OfferProblem {
  return { code, detail }
}
