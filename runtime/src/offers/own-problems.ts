import type { RefusedQuantity } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'

// How problems begin that the hub itself notes on an offer, beside those that the marketplace
// shows. No quotation marks: they stand in statements.
const refused = 'the marketplace refused the quantity: '
const notLookedUp = 'it was not looked up at the marketplace: '
const quantityNotWritten = 'the quantity was not written: '
const changeNotWritten = 'the change was not written: '
const notEnded = 'it was not ended: '

function startsWith (beginnings: readonly string[]): string {
  return `kept.problem ^@ any(array[${beginnings.map(text => `'${text}'`).join(', ')}])`
}

function problemsThat (condition: string): string {
  return `(
    select coalesce(jsonb_agg(kept.problem), '[]') from jsonb_array_elements_text(offers.problems) as kept (problem)
    where ${condition})`
}

/** In a statement on `offers`: their problems without those that begin so. */
const problemsWithout = (...beginnings: string[]): string => problemsThat(`not ${startsWith(beginnings)}`)

/**
 * A write of the quantity shows that the offer is there, and settles what was not written before.
 */
export const withoutQuantityProblems = problemsWithout(refused, notLookedUp, quantityNotWritten)
export const withoutChangeProblems = problemsWithout(changeNotWritten)
/** An offer that has ended needs no write any more. */
export const withoutOwnProblems = problemsWithout(refused, notLookedUp, quantityNotWritten, changeNotWritten, notEnded)
/** What no reading settles: the quantity is still to be written. */
export const unwrittenProblems = problemsThat(startsWith([quantityNotWritten]))

export function notLookedUpProblem (reason: string): string {
  return `${notLookedUp}${reason}`
}

/**
 * Quantities that a marketplace took and then refused. What the offer has is not known any more, so
 * nothing is concluded from what is shown: the same quantity would be refused again. The next
 * version of the stock or of the link is written as always. A refusal of a quantity that is not the
 * last one written comes too late to matter.
 */
export async function storeRefused (
  query: Query,
  connectionId: string,
  found: readonly RefusedQuantity[]
): Promise<void> {
  if (found.length === 0) return
  const problems = found.map(({ message, ...refusal }) => ({ ...refusal, problem: `${refused}${message}` }))
  const rows = [...new Map(problems.map(row => [`${row.externalId}\n${row.quantity}`, row])).values()]
  await query(
    `
    update offers set quantity = null, stock_version = null, upstream_quantity = null, updated_at = now(),
      problems = ${problemsWithout(refused)} || jsonb_build_array(refused.problem)
    from jsonb_to_recordset($2::jsonb) as refused ("externalId" text, quantity bigint, problem text)
    where offers.connection_id = $1 and offers.external_id = refused."externalId" and offers.quantity = refused.quantity
      and offers.status not in ('ENDED', 'FAILED') and offers.last_synced_at is not null`,
    [connectionId, toStorableJson(rows)]
  )
}

/**
 * Says that the job which had to write the quantity died. Nothing when another has written it
 * meanwhile, or when there is nothing to write to any more.
 */
export async function noteQuantityNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  await query(
    `
    update offers set problems = ${problemsWithout(quantityNotWritten)} || $3::jsonb, updated_at = now() from stock
    where offers.id = $1 and offers.connection_id = $2 and stock.variant_id = offers.variant_id
      and offers.status not in ('ENDED', 'FAILED')
      and (offers.stock_version is distinct from stock.version or offers.sent_link_version is distinct from offers.link_version)`,
    [of.offerId, of.connectionId, toStorableJson([`${quantityNotWritten}${reason}`])]
  )
}

/**
 * Says that a change that an operator asked for was not written, until the next one is or the offer
 * is read.
 */
export function noteChangeNotWritten (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  return noteNotDone(query, of, changeNotWritten, reason)
}

export function noteNotEnded (query: Query, of: OfferOfJob, reason: string): Promise<void> {
  return noteNotDone(query, of, notEnded, reason)
}

export interface OfferOfJob {
  offerId: string
  connectionId: string
}

async function noteNotDone (query: Query, of: OfferOfJob, beginning: string, reason: string): Promise<void> {
  await query(
    `
    update offers set problems = ${problemsWithout(beginning)} || $3::jsonb, updated_at = now()
    where id = $1 and connection_id = $2 and status not in ('ENDED', 'FAILED')`,
    [of.offerId, of.connectionId, toStorableJson([`${beginning}${reason}`])]
  )
}
