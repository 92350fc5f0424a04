import type { JobOutcome, RefusedQuantity } from '@linker/sdk'
import type { MarketplaceContext } from '../../config.ts'
import { findOvertaken, type Command } from '../changes.ts'
import { end, scheduleCheck } from '../send.ts'

/** About half an hour. */
export const attemptsToEnd = 60

/** An accepted command and the job that checks it now. */
export interface Checked {
  commandId: string
  command: Command
  attempt: number
  jobId: string
}

/** Why one offer of a command did not get its quantity. */
export interface Refusal {
  offerId: string
  message: string
}

export async function checkLater (
  context: MarketplaceContext,
  { commandId, command, attempt }: Checked
): Promise<JobOutcome> {
  await scheduleCheck(context, commandId, command, attempt + 1)
  return { result: { status: 'accepted' } }
}

export async function succeed (
  context: MarketplaceContext,
  { commandId, command, jobId }: Checked,
  refusals: readonly Refusal[] = []
): Promise<JobOutcome> {
  await end(context, commandId, { ...command, endedBy: jobId }, { status: 'succeeded', error: null })
  return {
    refusedQuantities: await toRefused(context, command, refusals),
    result: { status: 'succeeded', offers: command.offerIds.length, refused: refusals.length }
  }
}

/** `failed`: the hub stops waiting for an end. `rejected`: the marketplace gave a reason. */
export async function giveUp (
  context: MarketplaceContext,
  { commandId, command, jobId }: Checked,
  message: string,
  status: 'failed' | 'rejected' = 'failed'
): Promise<JobOutcome> {
  await end(context, commandId, { ...command, endedBy: jobId }, { status, error: message })
  return {
    refusedQuantities: await toRefused(context, command, command.offerIds.map(offerId => ({ offerId, message }))),
    result: { status, error: message }
  }
}

/**
 * Turns refusals into the form that the hub reads. Leaves out an offer for which a newer quantity
 * was asked: the hub would treat the newer one as refused.
 */
export async function toRefused (
  { kv }: MarketplaceContext,
  { quantity, createdAt }: Command,
  refusals: readonly Refusal[]
): Promise<RefusedQuantity[]> {
  const overtaken = await findOvertaken(kv, createdAt, refusals.map(({ offerId }) => offerId))
  return refusals.filter(({ offerId }) => !overtaken.has(offerId)).map(({ offerId, message }) => ({
    externalId: offerId,
    quantity,
    message
  }))
}
