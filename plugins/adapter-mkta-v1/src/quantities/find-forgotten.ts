import { defineJob, isAdapterError, type AdapterError, type JobOutcome } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { MarketplaceClient } from '../client.ts'
import type { Config, Credentials, MarketplaceContext } from '../config.ts'
import { abandon, toRefused } from './checks/outcomes.ts'
import { isDone, readProgress } from './endpoint.ts'
import { findOverlaps, findOverwritten } from './overlaps.ts'
import { checkJob } from './schedule-check.ts'
import { forgetLate, listLate, listOverdue, readCommand, rememberLate, type OverdueCheck } from './store.ts'
import { settleUnanswered } from './under-way.ts'

export const findForgottenJob = 'mkta.quantityCommands.findForgotten'
const longestMs = 24 * 3_600_000

type Findings = Pick<JobOutcome, 'refusedQuantities' | 'overwrittenOffers'>

/**
 * `mkta.quantityCommands.findForgotten`: checks commands again whose check was lost. The check is
 * stored when the job that wrote the quantity ends, and this may fail when one job wrote many
 * quantities. The job also checks commands whose sending got no answer, because the marketplace may
 * have accepted them, and those that the hub gave up, because it may still carry them out. The
 * other commands do not wait for one that cannot be read.
 */
export const findForgotten = defineJob<ReturnType<typeof Type.Object>, MarketplaceClient, Config, Credentials>({
  payload: Type.Object({}),
  capabilities: ['Marketplace'],
  async run (http, { id: jobId }, context): Promise<JobOutcome> {
    const { kv, clock, log } = context
    const failures: AdapterError[] = []
    const noteFailure = (commandId: string) => (error: unknown): Findings => {
      if (!isAdapterError(error)) throw error
      failures.push(error)
      log.warn({ commandId, code: error.code, error: error.message }, 'the hub could not settle a forgotten command')
      return {}
    }
    const overdue = await listOverdue(kv, clock.now())
    for (const check of overdue) {
      await settleOverdue(http, context, jobId, check).catch(noteFailure(check.commandId))
    }
    const late = await listLate(kv)
    const found: Findings[] = []
    for (const commandId of late) {
      found.push(await readLate(http, context, jobId, commandId).catch(noteFailure(commandId)))
    }
    const [failure] = failures
    if (failure !== undefined && failures.length === overdue.length + late.length) throw failure
    return {
      refusedQuantities: found.flatMap(({ refusedQuantities = [] }) => refusedQuantities),
      overwrittenOffers: found.flatMap(({ overwrittenOffers = [] }) => overwrittenOffers),
      result: { overdue: overdue.length }
    }
  }
})

async function settleOverdue (
  http: MarketplaceClient,
  context: MarketplaceContext,
  jobId: string,
  { key, commandId, attempt }: OverdueCheck
): Promise<void> {
  const { kv, clock, jobs } = context
  const now = clock.now()
  const found = await readCommand(kv, commandId)
  const command = found?.status === 'queued'
    ? await settleUnanswered(context, commandId, await readProgress(http, commandId) !== undefined)
    : found
  if (command?.status !== 'accepted') {
    await kv.delete(key)
  } else if (now.getTime() - Date.parse(command.createdAt) > longestMs) {
    // The late command returns the refusals: an abort of this job must not lose them.
    await rememberLate(kv, commandId)
    const check = { commandId, command, attempt, jobId }
    await abandon(context, check, 'the hub could not read the result of the command for a day')
  } else {
    await jobs.enqueue(checkJob, { commandId, attempt }, { key: `${commandId}:${attempt}:${now.toISOString()}` })
  }
}

/**
 * Asks for a command that the hub has given up. When the marketplace carried it out after all, it
 * may have replaced a newer quantity. A command with findings stays remembered, so that a later run
 * returns them again when this one is lost.
 */
async function readLate (
  http: MarketplaceClient,
  context: MarketplaceContext,
  jobId: string,
  commandId: string
): Promise<Findings> {
  const { kv } = context
  const command = await readCommand(kv, commandId)
  if (command?.endedBy === jobId) {
    const refusals = command.offerIds.map(offerId => ({ offerId, message: command.error ?? command.status }))
    return { refusedQuantities: await toRefused(context, command, refusals) }
  }
  const progress = command && await readProgress(http, commandId)
  if (command !== undefined && progress !== undefined) {
    const overlaps = isDone(progress) ? await findOverlaps(kv, command) : undefined
    if (overlaps === undefined || overlaps.isOpen) return {}
    const overwrittenOffers = await findOverwritten(http, command, overlaps)
    if (overwrittenOffers.length > 0) return { overwrittenOffers }
  }
  await forgetLate(kv, commandId)
  return {}
}
