import { AdapterErrorCode, defineJob, isAdapterError, type JobOutcome, type RefusedQuantity } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { checkOfferWrite } from './check-offer-write.ts'
import { checkTasks } from './check-tasks.ts'
import { giveUp, toRefused, type Refusal } from './checked.ts'
import type { MarketplaceClient } from './client.ts'
import type { Config, Credentials, MarketplaceContext } from './config.ts'
import { inParallel } from './in-parallel.ts'
import { readCommand, readEnding, type Command } from './quantity-changes.ts'

const endingsAtOnce = 16

const Payload = Type.Object({
  commandId: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  attempt: Type.Integer({ minimum: 1 })
})

/**
 * `mkta.quantityCommand.check`: a command that was accepted is not done. Asks until it is, or until
 * nothing more can be expected of it.
 */
export const checkCommand = defineJob<typeof Payload, MarketplaceClient, Config, Credentials>({
  payload: Payload,
  async run (http, { id: jobId, payload: { commandId, attempt } }, context): Promise<JobOutcome> {
    const command = await readCommand(context.kv, commandId)
    if (command === undefined) return { result: { status: 'unknown' } }
    // A job that found the end and was broken off answers it when it is repeated. To any other the
    // hub has heard of it.
    if (command.status !== 'accepted') {
      return {
        refusedQuantities: command.endedBy === jobId ? await readRefused(context, commandId, command) : [],
        result: { status: command.status }
      }
    }
    const checked = { commandId, command, attempt, jobId }
    try {
      return await (command.isOfferWrite ? checkOfferWrite : checkTasks)(http, context, checked)
    } catch (error) {
      if (
        isAdapterError(error) && (error.code === AdapterErrorCode.notFound || error.code === AdapterErrorCode.rejected)
      ) return giveUp(context, checked, error.message.slice(0, 500))
      throw error
    }
  }
})

async function readRefused (
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<RefusedQuantity[]> {
  const { status, error, offerIds, quantity, createdAt } = command
  if (status !== 'succeeded') {
    return toRefused(context, command, offerIds.map(offerId => ({ offerId, message: error ?? status })))
  }
  const refusals = await inParallel(offerIds, endingsAtOnce, async (offerId): Promise<Refusal[]> => {
    const ending = await readEnding(context.kv, { commandId, offerId, quantity, createdAt })
    return ending === undefined || ending.status === 'succeeded'
      ? []
      : [{ offerId, message: ending.error ?? ending.status }]
  })
  return toRefused(context, command, refusals.flat())
}
