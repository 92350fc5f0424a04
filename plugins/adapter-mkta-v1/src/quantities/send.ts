import { AdapterErrorCode, isAdapterError, TransientError, type AdapterError, type HttpClient } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { writeOfferQuantity } from '../offers/quantity.ts'
import { isOvertaken } from './changes.ts'
import { isOpen, type Command } from './command.ts'
import { putCommand } from './endpoint.ts'
import { scheduleCheck } from './schedule-check.ts'
import { listEarlierChecks, moveCommand, writeNextCheck } from './store.ts'

/** Sends a command to the marketplace unless it was sent before, and schedules its check. */
export async function sendCommand (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<void> {
  const sent = command.status === 'queued' ? await sendQueued(http, context, commandId, command) : command
  if (isOpen(sent)) await scheduleCheck(context, commandId, sent, 1)
}

async function sendQueued (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command> {
  const { kv, clock } = context
  // Store the check before sending: if the answer is lost, the marketplace may have accepted the
  // command. The job repeats a write to the offer itself.
  const check = { attempt: 1, dueAt: clock.now().toISOString() }
  if (!command.isOfferWrite) await writeNextCheck(kv, commandId, command, check)
  const { operationId } = await send(http, context, commandId, command).catch(async (error: unknown) => {
    await refuseForever(context, commandId, command, error)
    if (!command.isOfferWrite && isAnswered(error)) {
      await writeNextCheck(kv, commandId, command, { ...check, isAnswered: true })
    }
    throw error
  })
  // A quantity that was written at once is still checked when it is zero, or when an earlier
  // command may overwrite it.
  const isWritten = command.isOfferWrite && command.quantity > 0 && operationId === undefined
  const isDone = isWritten && (await listEarlierChecks(kv, command)).length === 0
  return moveCommand(context, commandId, command, isDone ? { type: 'finish' } : { type: 'accept', operationId })
}

interface Sent {
  operationId?: string
}

async function send (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Sent> {
  if (command.isOfferWrite) return context.locks.run(lockOf(command), () => writeOffer(http, context, command))
  if (await putCommand(http, commandId, command)) return {}
  // The hub did not use this id, because its own command could be read. Reject it: the retry
  // takes another id.
  const error = 'the id of the command was used, and the marketplace knows no such command'
  await moveCommand(context, commandId, command, { type: 'refuse', error })
  throw new TransientError(error, { status: 409 })
}

/** The name of the lock that lets one write to an offer run at a time. */
function lockOf ({ offerIds: [offerId = ''] }: Command): string {
  return `quantity:${offerId}`
}

async function writeOffer (
  http: HttpClient,
  context: MarketplaceContext,
  { offerIds: [offerId = ''], quantity }: Command
): Promise<Sent> {
  const operation = await writeOfferQuantity(http, context, offerId, quantity)
  return operation === undefined ? {} : { operationId: operation.operationId }
}

/**
 * Writes the quantity of an earlier command to its offer. Returns the command after the write, or
 * undefined when another quantity was asked for since; then the write is skipped.
 */
export async function writeAgain (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command | undefined> {
  const { offerIds: [offerId = ''], createdAt } = command
  // Ask inside the lock: another job may have written while this one waited.
  const sent = await context.locks.run(
    lockOf(command),
    async () => await isOvertaken(context.kv, { offerId, createdAt }) ? undefined : writeOffer(http, context, command)
  )
  return sent === undefined ? undefined : moveCommand(context, commandId, command, { type: 'accept', ...sent })
}

/** Rejects the command when its sending failed for good. */
export async function refuseForever (
  context: MarketplaceContext,
  commandId: string,
  command: Command,
  error: unknown
): Promise<void> {
  if (isAdapterError(error) && isFinal(error)) {
    await moveCommand(context, commandId, command, { type: 'refuse', error: error.message.slice(0, 1_000) })
  }
}

/** Whether the marketplace answered, or the hub sent nothing: nothing comes of it later. */
function isAnswered (error: unknown): boolean {
  return isAdapterError(error) && !isFinal(error) &&
    (error.status !== undefined || error.code === AdapterErrorCode.rateLimited)
}

/** Whether the error ends the command: sent again, it would fail in the same way. */
export function isFinal ({ code }: AdapterError): boolean {
  return code === AdapterErrorCode.rejected || code === AdapterErrorCode.notFound ||
    code === AdapterErrorCode.configuration
}
