import { isAdapterError, type HttpClient } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { fetchOffer } from '../offers/fetch.ts'
import { rememberSoldOut } from '../offers/quantity.ts'
import { isSoldOut, parseOffer } from '../offers/read.ts'
import { isOvertaken, readCommand, writeChange, writeCommand, type ChangeName, type Command } from './changes.ts'
import { deriveCommandId } from './command-id.ts'
import { end, endRefused, isFinal, scheduleCheck, writeAgain } from './send.ts'

/**
 * `none`: the offer had not sold out, so the command failed for another reason. `overtaken`: a
 * newer quantity was asked for, and its own command writes it.
 */
export type Restock = { outcome: 'none' | 'overtaken' | 'written' } | { outcome: 'refused', message: string }

/**
 * Writes the quantity of a command that failed because the offer had sold out before. The quantity
 * goes to the offer itself.
 */
export async function restock (http: HttpClient, context: MarketplaceContext, failed: ChangeName): Promise<Restock> {
  const commandId = deriveCommandId(`${failed.commandId}\nrestock\n${failed.offerId}`)
  const command = await readCommand(context.kv, commandId)
  if (command?.status === 'rejected') return { outcome: 'refused', message: command.error ?? '' }
  try {
    return await (command === undefined
      ? begin(http, context, commandId, failed)
      : write(http, context, commandId, command))
  } catch (error) {
    if (isAdapterError(error) && isFinal(error)) return { outcome: 'refused', message: error.message.slice(0, 500) }
    throw error
  }
}

async function begin (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  failed: ChangeName
): Promise<Restock> {
  const { kv } = context
  // Keep the time of the failed change: a zero that was asked for meanwhile must count as newer.
  const { offerId, quantity, createdAt } = failed
  if (!isSoldOut(parseOffer(await fetchOffer(http, offerId)))) return { outcome: 'none' }
  await rememberSoldOut(context, offerId)
  if (await isOvertaken(kv, failed)) return { outcome: 'overtaken' }
  const command: Command = {
    quantity,
    isOfferWrite: true,
    offerIds: [offerId],
    createdAt,
    status: 'queued',
    error: null,
    updatedAt: createdAt
  }
  await writeChange(kv, { commandId, offerId, quantity, createdAt })
  await writeCommand(kv, commandId, command)
  return write(http, context, commandId, command)
}

async function writeOrEnd (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command | undefined> {
  try {
    return await writeAgain(http, context, commandId, command)
  } catch (error) {
    await endRefused(context, commandId, command, error)
    throw error
  }
}

async function write (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Restock> {
  if (command.status !== 'queued' && command.status !== 'accepted') return { outcome: 'written' }
  const written = command.status === 'accepted' ? command : await writeOrEnd(http, context, commandId, command)
  if (written === undefined) {
    await end(context, commandId, command, { status: 'succeeded', error: null })
    return { outcome: 'overtaken' }
  }
  await scheduleCheck(context, commandId, written, 1)
  return { outcome: 'written' }
}
