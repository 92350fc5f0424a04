import { AdapterErrorCode, isAdapterError, TransientError, type AdapterError, type HttpClient } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import type { MarketplaceContext } from '../config.ts'
import { Nullable } from '../nullable.ts'
import { writeOfferQuantity } from '../offers/quantity.ts'
import { parseAs, parseBody } from '../read-answer.ts'
import { isOvertaken, writeCommand, type Command } from './changes.ts'
import { deleteOpen, hasEarlierCommand, writeOpen } from './open.ts'

export const checkJob = 'mkta.quantityCommand.check'
const firstWaitMs = 2_000
const longestWaitMs = 30_000

const Summary = Type.Object({
  id: Type.String(),
  completedAt: Nullable(Type.String()),
  taskCount: Type.Object({ total: Type.Integer(), success: Type.Integer(), failed: Type.Integer() })
})
type Summary = Static<typeof Summary>

/** Sends a command to the marketplace unless it was sent before, and schedules its check. */
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
    // A quantity that was written at once is still checked when it is zero, or when an earlier
    // command may overwrite it.
    const isWritten = command.isOfferWrite && command.quantity > 0 && sent.operationId === undefined
    const isDone = isWritten && !await hasEarlierCommand(context.kv, command)
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

/** The name of the lock that lets one write to an offer run at a time. */
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
 * Writes the quantity of an earlier command to its offer. Answers the command after the write, or
 * undefined when another quantity was asked for since; then the write is skipped.
 */
export async function writeAgain (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  { operationId: _former, ...command }: Command
): Promise<Command | undefined> {
  const { offerIds: [offerId = ''], createdAt } = command
  // Ask inside the lock: another job may have written while this one waited.
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
    // The hub did not use this id, because its own command could be read. Reject it: the retry
    // takes another id.
    const message = 'the id of the command was used, and the marketplace knows no such command'
    await end(context, commandId, command, { status: 'rejected', error: message })
    throw new TransientError(message, { status: 409 })
  }
}

/** Answers the marketplace's progress on a command, or undefined for an unknown id. */
export async function readSummary (http: HttpClient, commandId: string): Promise<Summary | undefined> {
  const answer = await http.request({ method: 'GET', path: commandPath(commandId), accept: [404] })
  return answer.status === 404 ? undefined : parseAs(Summary, parseBody(answer.body), 'the command')
}

export function commandPath (commandId: string): string {
  return `sale/offer-quantity-change-commands/${commandId}`
}

/** Schedules the next check: after 2 s, then after twice as long each time, up to 30 s. */
export async function scheduleCheck (
  { jobs, kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  attempt: number
): Promise<void> {
  const delayMs = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  const dueAt = new Date(clock.now().getTime() + delayMs).toISOString()
  await writeOpen(kv, commandId, command, { attempt, dueAt })
  await jobs.enqueue(checkJob, { commandId, attempt }, { key: `${commandId}:${attempt}`, delayMs })
}

/** Whether the error ends the command: sent again, it would fail in the same way. */
export function isFinal ({ code }: AdapterError): boolean {
  return code === AdapterErrorCode.rejected || code === AdapterErrorCode.notFound ||
    code === AdapterErrorCode.configuration
}

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

/** Stores the ending of a whole command. */
export async function end (
  { kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  ending: Pick<Command, 'status' | 'error'>
): Promise<void> {
  await writeCommand(kv, commandId, { ...command, ...ending, updatedAt: clock.now().toISOString() })
  if (ending.status !== 'accepted') await deleteOpen(kv, commandId, command)
}
