import { defineJob, type JobOutcome, type RefusedQuantity } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { MarketplaceClient } from '../client.ts'
import type { Config, Credentials, MarketplaceContext } from '../config.ts'
import { abandon } from './checks/outcomes.ts'
import type { Command, CommandEvent } from './command.ts'
import { readProgress } from './endpoint.ts'
import { checkJob } from './schedule-check.ts'
import { listOverdue, moveCommand, readCommand } from './store.ts'

export const findForgottenJob = 'mkta.quantityCommands.findForgotten'
const longestMs = 24 * 3_600_000

/**
 * `mkta.quantityCommands.findForgotten`: checks commands again whose check was lost. The check is
 * stored when the job that wrote the quantity ends, and this may fail when one job wrote many
 * quantities. The job also checks commands whose sending got no answer: the marketplace may have
 * accepted them.
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
      const command = found?.status === 'queued' ? await readUnanswered(http, context, commandId, found) : found
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
    return { refusedQuantities, result: { overdue: overdue.length } }
  }
})

/**
 * Finds out whether the marketplace has a command whose sending got no answer. The hub does not
 * know that the command was sent: its job sends the quantity again under another id.
 */
async function readUnanswered (
  http: MarketplaceClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command | undefined> {
  const isThere = await readProgress(http, commandId) !== undefined
  const current = await readCommand(context.kv, commandId)
  // Another job has sent the command meanwhile.
  if (current?.status !== 'queued') return current
  const event: CommandEvent = isThere
    ? { type: 'accept' }
    : { type: 'abandon', error: 'the command did not reach the marketplace' }
  return moveCommand(context, commandId, command, event)
}
