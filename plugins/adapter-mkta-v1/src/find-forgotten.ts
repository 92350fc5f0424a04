import { defineJob, type JobOutcome, type RefusedQuantity } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { giveUp } from './checked.ts'
import type { MarketplaceClient } from './client.ts'
import type { Config, Credentials, MarketplaceContext } from './config.ts'
import { listOverdue } from './open-commands.ts'
import { readCommand, type Command } from './quantity-changes.ts'
import { checkJob, end, readSummary } from './send-quantity.ts'

export const findForgottenJob = 'mkta.quantityCommands.findForgotten'
/** A queue may be long. */
const graceMs = 2 * 60_000
const longestMs = 24 * 3_600_000

/**
 * `mkta.quantityCommands.findForgotten`: has commands looked at whose check was lost: it is stored
 * with the end of a job that wrote a quantity, and of many that wrote together that one may have
 * failed. So are commands whose sending was never answered: they may have been accepted.
 */
export const findForgotten = defineJob<ReturnType<typeof Type.Object>, MarketplaceClient, Config, Credentials>({
  payload: Type.Object({}),
  async run (http, { id: jobId }, context): Promise<JobOutcome> {
    const { kv, clock, jobs } = context
    const now = clock.now()
    const overdue = await listOverdue(kv, new Date(now.getTime() - graceMs))
    const refusedQuantities: RefusedQuantity[] = []
    for (const { key, commandId, attempt } of overdue) {
      const found = await readCommand(kv, commandId)
      const command = found?.status === 'queued' ? await readUnanswered(http, context, commandId, found) : found
      if (command?.status !== 'accepted') {
        await kv.delete(key)
      } else if (now.getTime() - Date.parse(command.createdAt) > longestMs) {
        const outcome = await giveUp(
          context,
          { commandId, command, attempt, jobId },
          'what became of the command could not be read for a day'
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
 * What became of a command whose sending was not answered. The hub was not told that it was sent:
 * its job sends the quantity again, under another name.
 */
async function readUnanswered (
  http: MarketplaceClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command | undefined> {
  const isThere = await readSummary(http, commandId) !== undefined
  const current = await readCommand(context.kv, commandId)
  // Sent again while it was asked for.
  if (current?.status !== 'queued') return current
  const ending = isThere
    ? { status: 'accepted', error: null } as const
    : { status: 'failed', error: 'the command did not reach the marketplace' } as const
  await end(context, commandId, command, ending)
  return { ...command, ...ending }
}
