import type { RefusedQuantity } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { OfferProblem, OfferProblemCode } from './problem-codes.ts'

// The hub notes its own problems on an offer, beside those that the marketplace shows.

function listOf (codes: readonly OfferProblemCode[]): string {
  return `array[${codes.map(code => `'${code}'`).join(', ')}]`
}

function problemsThat (condition: string): string {
  return `(
    select coalesce(jsonb_agg(kept.problem), '[]')
    from jsonb_array_elements(offers.problems) as kept (problem)
    where ${condition}
  )`
}

/** SQL on a row of `offers`: its problems without those of these codes. */
const problemsWithout = (...codes: OfferProblemCode[]): string =>
  problemsThat(`coalesce(kept.problem ->> 'code', '') <> all(${listOf(codes)})`)

/** A written quantity proves that the offer exists, and replaces an earlier write that failed. */
export const withoutQuantityProblems = problemsWithout('quantity-refused', 'not-looked-up', 'quantity-not-written')
export const withoutChangeProblems = problemsWithout('change-not-written')
/** An ended offer needs no write any more. */
export const withoutOwnProblems = problemsWithout(
  'quantity-refused',
  'not-looked-up',
  'quantity-not-written',
  'change-not-written',
  'not-ended'
)
/** Problems that a reading does not settle: the quantity is still unwritten. */
export const unwrittenProblems = problemsThat(`kept.problem ->> 'code' = any(${listOf(['quantity-not-written'])})`)

export function notLookedUpProblem (reason: string): OfferProblem {
  return { code: 'not-looked-up', detail: `the hub could not check the offer at the marketplace: ${reason}` }
}

const forgetRefused = `
  update offers set
    quantity = null,
    stock_version = null,
    upstream_quantity = null,
    updated_at = now(),
    problems = ${problemsWithout('quantity-refused')} || jsonb_build_array(refused.problem)
  from jsonb_to_recordset($2::jsonb) as refused ("externalId" text, quantity bigint, problem jsonb)
  where offers.connection_id = $1
    and offers.external_id = refused."externalId"
    and offers.quantity = refused.quantity
    and offers.status not in ('ENDED', 'FAILED')
    and offers.last_synced_at is not null`

/**
 * Stores that a marketplace first took quantities and then refused them. The hub does not know the
 * quantity of such an offer any more, so no comparison writes it: the marketplace would refuse the
 * same quantity again. The hub writes the next version of the stock or of the link as always. A
 * refusal of a quantity that is not the last one written comes too late to matter.
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
  await query(forgetRefused, [connectionId, toStorableJson(rows)])
}

const addQuantityProblem = `
  update offers set
    problems = ${problemsWithout('quantity-not-written')} || $3::jsonb,
    updated_at = now()
  from stock
  where offers.id = $1
    and offers.connection_id = $2
    and stock.variant_id = offers.variant_id
    and offers.status not in ('ENDED', 'FAILED')
    and (
      offers.stock_version is distinct from stock.version
      or offers.sent_link_version is distinct from offers.link_version
    )`

/**
 * Notes that the job died which had to write the quantity. Does nothing when another job has
 * written it meanwhile, or when the offer has ended.
 */
export async function noteQuantityNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  const problems = toStorableJson([problemOf('quantity-not-written', `the quantity was not written: ${reason}`)])
  await query(addQuantityProblem, [of.offerId, of.connectionId, problems])
}

/**
 * Notes that the change of an operator was not written. The note stays until the next change is
 * written or the offer is read.
 */
export function noteChangeNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  return noteNotDone(query, of, problemOf('change-not-written', `the change was not written: ${reason}`))
}

export function noteNotEnded (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  return noteNotDone(query, of, problemOf('not-ended', `the offer was not ended: ${reason}`))
}

export interface OfferOfJob {
  offerId: string
  connectionId: string
}

async function noteNotDone (query: Query, of: OfferOfJob, problem: OfferProblem): Promise<void> {
  const addProblem = `
    update offers set
      problems = ${problemsWithout(problem.code)} || $3::jsonb,
      updated_at = now()
    where id = $1
      and connection_id = $2
      and status not in ('ENDED', 'FAILED')`
  await query(addProblem, [of.offerId, of.connectionId, toStorableJson([problem])])
}

function problemOf (code: OfferProblemCode, detail: string): OfferProblem {
  return { code, detail }
}
