import { AdapterErrorCode, defineJob, isAdapterError, type JobOutcome, type RefusedQuantity } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import pMap from 'p-map'
import type { MarketplaceClient } from '../client.ts'
import type { Config, Credentials, MarketplaceContext } from '../config.ts'
import { readEnding } from './changes.ts'
import { checkOfferWrite } from './checks/offer-write.ts'
import { abandon, refuse, toRefused, type Refusal } from './checks/outcomes.ts'
import { checkTasks } from './checks/tasks.ts'
import type { Command } from './command.ts'
import { findOverlaps, findOverwritten } from './overlaps.ts'
import { readCommand } from './store.ts'

const endingsAtOnce = 16

const Payload = Type.Object({
  commandId: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  attempt: Type.Integer({ minimum: 1 })
})

/**
 * `mkta.quantityCommand.check`: asks for the state of an accepted command until it ends, or until
 * the hub gives it up. The marketplace accepts a command before it does the work.
 */
export const checkCommand = defineJob<typeof Payload, MarketplaceClient, Config, Credentials>({
  payload: Payload,
  capabilities: ['Marketplace'],
  async run (http, { id: jobId, payload: { commandId, attempt } }, context): Promise<JobOutcome> {
    const command = await readCommand(context.kv, commandId)
    if (command === undefined) return { result: { status: 'unknown' } }
    // When the job that found the end is repeated after an abort, it returns its findings again.
    // Every other job returns none: the hub has them already.
    if (command.status !== 'accepted') {
      return {
        ...command.endedBy === jobId ? await readFindings(http, context, commandId, command) : {},
        result: { status: command.status }
      }
    }
    const check = { commandId, command, attempt, jobId }
    try {
      return await (command.isOfferWrite ? checkOfferWrite : checkTasks)(http, context, check)
    } catch (error) {
      if (!isAdapterError(error)) throw error
      const reason = error.message.slice(0, 500)
      // The end of an operation is 422 when the marketplace refused the change.
      if (error.code === AdapterErrorCode.rejected) return refuse(context, check, reason)
      if (error.code === AdapterErrorCode.notFound) return abandon(context, check, reason)
      throw error
    }
  }
})

async function readFindings (
  http: MarketplaceClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<JobOutcome> {
  return {
    refusedQuantities: await readRefused(context, commandId, command),
    overwrittenOffers: await findOverwritten(http, command, await findOverlaps(context.kv, command))
  }
}

async function readRefused (
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<RefusedQuantity[]> {
  const { status, error, offerIds, quantity, createdAt } = command
  if (status !== 'succeeded') {
    return toRefused(context, command, offerIds.map(offerId => ({ offerId, message: error ?? status })))
  }
  const refusals = await pMap(offerIds, async (offerId): Promise<Refusal[]> => {
    const ending = await readEnding(context.kv, { commandId, offerId, quantity, createdAt })
    return ending === undefined || ending.status === 'succeeded'
      ? []
      : [{ offerId, message: ending.error ?? ending.status }]
  }, { concurrency: endingsAtOnce })
  return toRefused(context, command, refusals.flat())
}
