import { AdapterErrorCode, isAdapterError, TransientError, type AdapterError, type HttpClient } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import type { MarketplaceContext } from './config.ts'
import { Nullable } from './nullable.ts'
import { writeOfferQuantity } from './offer-quantity.ts'
import { deleteOpen, hasEarlierCommand, writeOpen } from './open-commands.ts'
import { isOvertaken, writeCommand, type Command } from './quantity-changes.ts'
import { parseAs, parseBody } from './read-answer.ts'

export const checkJob = 'mkta.quantityCommand.check'
const firstWaitMs = 2_000
const longestWaitMs = 30_000

const Summary = Type.Object({
  id: Type.String(),
  completedAt: Nullable(Type.String()),
  taskCount: Type.Object({ total: Type.Integer(), success: Type.Integer(), failed: Type.Integer() })
})
type Summary = Static<typeof Summary>

/**
 * Brings a command to the marketplace, unless it is there already, and sees to it that its end is
 * looked at.
 */
export async function sendCommand (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<void> {
  if (command.status === 'queued') {
    const sent = await send(http, context, commandId, command).catch(async (error: unknown) => {
      await endRefused(context, commandId, command, error)
      throw error
    })
    // What was written at once is looked at all the same when it is a zero, or when an earlier
    // command may overwrite it.
    const isDone = command.isOfferWrite && command.quantity > 0 && sent.operationId === undefined &&
      !await hasEarlierCommand(context.kv, command)
    await end(context, commandId, { ...command, ...sent }, { status: isDone ? 'succeeded' : 'accepted', error: null })
    if (isDone) return
  } else if (command.status !== 'accepted') {
    return
  }
  await scheduleCheck(context, commandId, command, 1)
}

async function send (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Written> {
  if (command.isOfferWrite) return context.locks.run(lockOf(command), () => writeOffer(http, context, command))
  await putCommand(http, context, commandId, command)
  return {}
}

interface Written {
  operationId?: string
}

/** Writes to an offer are one after the other. */
function lockOf ({ offerIds: [offerId = ''] }: Command): string {
  return `quantity:${offerId}`
}

async function writeOffer (
  http: HttpClient,
  context: MarketplaceContext,
  { offerIds: [offerId = ''], quantity }: Command
): Promise<Written> {
  const operation = await writeOfferQuantity(http, context, offerId, quantity)
  return operation === undefined ? {} : { operationId: operation.operationId }
}

/**
 * Writes a quantity of before to its offer. Answers the command as it is then; undefined when
 * another quantity was asked for since, and nothing is written.
 */
export async function writeAgain (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  { operationId: _former, ...command }: Command
): Promise<Command | undefined> {
  const { offerIds: [offerId = ''], createdAt } = command
  // Asked in the lock: while this one waited for it, another may have written.
  const sent = await context.locks.run(
    lockOf(command),
    async () => await isOvertaken(context.kv, { offerId, createdAt }) ? undefined : writeOffer(http, context, command)
  )
  if (sent === undefined) return undefined
  const written: Command = { ...command, ...sent, status: 'accepted' }
  await end(context, commandId, written, { status: 'accepted', error: null })
  return written
}

async function putCommand (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<void> {
  const { offerIds, quantity: value } = command
  const body = {
    modification: { changeType: 'FIXED', value },
    offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: offerIds.map(id => ({ id })) }],
    scheduledAt: null
  }
  const answer = await http.request({ method: 'PUT', path: commandPath(commandId), body, accept: [409] })
  if (answer.status !== 409) {
    parseAs(Summary, parseBody(answer.body), 'the command')
  } else if (await readSummary(http, commandId) === undefined) {
    // Not by an attempt of ours, which could be read: the retry takes another id.
    const message = 'the id of the command was used, and the marketplace knows no such command'
    await end(context, commandId, command, { status: 'rejected', error: message })
    throw new TransientError(message, { status: 409 })
  }
}

/** How far the marketplace is with a command; undefined when it has none of this id. */
export async function readSummary (http: HttpClient, commandId: string): Promise<Summary | undefined> {
  const answer = await http.request({ method: 'GET', path: commandPath(commandId), accept: [404] })
  return answer.status === 404 ? undefined : parseAs(Summary, parseBody(answer.body), 'the command')
}

export function commandPath (commandId: string): string {
  return `sale/offer-quantity-change-commands/${commandId}`
}

/** Has the command looked at after 2 s, and then after twice as long each time, up to 30 s. */
export async function scheduleCheck (
  { jobs, kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  attempt: number
): Promise<void> {
  const delayMs = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  await writeOpen(kv, commandId, command, { attempt, dueAt: new Date(clock.now().getTime() + delayMs).toISOString() })
  await jobs.enqueue(checkJob, { commandId, attempt }, { key: `${commandId}:${attempt}`, delayMs })
}

/** Whether it is over with a command that ended so: sent again it would end in the same way. */
export function isFinal ({ code }: AdapterError): boolean {
  return code === AdapterErrorCode.rejected || code === AdapterErrorCode.notFound ||
    code === AdapterErrorCode.configuration
}

/** Ends a command that could not be sent, unless it may be sent again. */
export async function endRefused (
  context: MarketplaceContext,
  commandId: string,
  command: Command,
  error: unknown
): Promise<void> {
  if (isAdapterError(error) && isFinal(error)) {
    await end(context, commandId, command, { status: 'rejected', error: error.message.slice(0, 1_000) })
  }
}

/** Keeps what became of a whole command. */
export async function end (
  { kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  ending: Pick<Command, 'status' | 'error'>
): Promise<void> {
  await writeCommand(kv, commandId, { ...command, ...ending, updatedAt: clock.now().toISOString() })
  if (ending.status !== 'accepted') await deleteOpen(kv, commandId, command)
}
