import { defineJob, type JobOutcome, type RefusedQuantity } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { MarketplaceClient } from '../client.ts'
import type { Config, Credentials, MarketplaceContext } from '../config.ts'
import { abandon } from './checks/outcomes.ts'
import { isDone, readProgress } from './endpoint.ts'
import { findOverlaps, findOverwritten } from './overlaps.ts'
import { checkJob } from './schedule-check.ts'
import { forgetLate, listLate, listOverdue, readCommand } from './store.ts'
import { settleUnanswered } from './under-way.ts'

export const findForgottenJob = 'mkta.quantityCommands.findForgotten'
const longestMs = 24 * 3_600_000

/**
 * `mkta.quantityCommands.findForgotten`: checks commands again whose check was lost. The check is
 * stored when the job that wrote the quantity ends, and this may fail when one job wrote many
 * quantities. The job also checks commands whose sending got no answer, because the marketplace may
 * have accepted them, and those that the hub gave up, because it may still carry them out.
 */
export const findForgotten = defineJob<ReturnType<typeof Type.Object>, MarketplaceClient, Config, Credentials>({
  payload: Type.Object({}),
  capabilities: ['Marketplace'],
  async run (http, { id: jobId }, context): Promise<JobOutcome> {
    const { kv, clock, jobs } = context
    const now = clock.now()
    const overdue = await listOverdue(kv, now)
    const refusedQuantities: RefusedQuantity[] = []
    for (const { key, commandId, attempt } of overdue) {
      const found = await readCommand(kv, commandId)
      const command = found?.status === 'queued'
        ? await settleUnanswered(context, commandId, await readProgress(http, commandId) !== undefined)
        : found
      if (command?.status !== 'accepted') {
        await kv.delete(key)
      } else if (now.getTime() - Date.parse(command.createdAt) > longestMs) {
        const outcome = await abandon(
          context,
          { commandId, command, attempt, jobId },
          'the hub could not read the result of the command for a day'
        )
        refusedQuantities.push(...outcome.refusedQuantities ?? [])
      } else {
        await jobs.enqueue(checkJob, { commandId, attempt }, { key: `${commandId}:${attempt}:${now.toISOString()}` })
      }
    }
    const overwrittenOffers = await readLate(http, context)
    return { refusedQuantities, overwrittenOffers, result: { overdue: overdue.length } }
  }
})

/**
 * Asks for the commands that the hub has given up. When the marketplace carried one out after all,
 * it may have replaced a newer quantity. Returns the offers that show the older one.
 */
async function readLate (http: MarketplaceClient, context: MarketplaceContext): Promise<string[]> {
  const { kv } = context
  const overwritten: string[] = []
  for (const commandId of await listLate(kv)) {
    const [command, progress] = [await readCommand(kv, commandId), await readProgress(http, commandId)]
    if (command !== undefined && progress !== undefined) {
      const overlaps = isDone(progress) ? await findOverlaps(kv, command) : undefined
      if (overlaps === undefined || overlaps.isOpen) continue
      overwritten.push(...await findOverwritten(http, command, overlaps))
    }
    await forgetLate(kv, commandId)
  }
  return overwritten
}
