import type { JobOutcome, RefusedQuantity } from '@linker/sdk'
import type { MarketplaceContext } from '../../config.ts'
import { findNewer } from '../changes.ts'
import type { Command, CommandEvent } from '../command.ts'
import { scheduleCheck } from '../schedule-check.ts'
import { moveCommand } from '../store.ts'

/** About half an hour. */
export const attemptsToEnd = 60

/** An accepted command and the job that checks it now. */
export interface Check {
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
  { commandId, command, attempt }: Check
): Promise<JobOutcome> {
  await scheduleCheck(context, commandId, command, attempt + 1)
  return { result: { status: 'accepted' } }
}

export async function finish (
  context: MarketplaceContext,
  { commandId, command, jobId }: Check,
  refusals: readonly Refusal[] = [],
  overwrittenOffers: readonly string[] = []
): Promise<JobOutcome> {
  const { status } = await moveCommand(context, commandId, command, { type: 'finish', endedBy: jobId })
  return {
    refusedQuantities: await toRefused(context, command, refusals),
    overwrittenOffers,
    result: { status, offers: command.offerIds.length, refused: refusals.length, overwritten: overwrittenOffers.length }
  }
}

/** Ends the command for all of its offers because the marketplace gave a reason. */
export function refuse (context: MarketplaceContext, check: Check, message: string): Promise<JobOutcome> {
  return endForAll(context, check, { type: 'refuse', error: message, endedBy: check.jobId })
}

/** Ends the command for all of its offers because the hub stops waiting. */
export function abandon (context: MarketplaceContext, check: Check, message: string): Promise<JobOutcome> {
  return endForAll(context, check, { type: 'abandon', error: message, endedBy: check.jobId })
}

async function endForAll (
  context: MarketplaceContext,
  { commandId, command }: Check,
  event: Extract<CommandEvent, { error: string }>
): Promise<JobOutcome> {
  const { status } = await moveCommand(context, commandId, command, event)
  const refusals = command.offerIds.map(offerId => ({ offerId, message: event.error }))
  return {
    refusedQuantities: await toRefused(context, command, refusals),
    result: { status, error: event.error }
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
  const overtaken = await findNewer(kv, createdAt, refusals.map(({ offerId }) => offerId))
  return refusals.filter(({ offerId }) => !overtaken.has(offerId)).map(({ offerId, message }) => ({
    externalId: offerId,
    quantity,
    message
  }))
}
