import { isAdapterError, type HttpClient } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { fetchOffer } from '../offers/fetch.ts'
import { rememberSoldOut } from '../offers/quantity.ts'
import { isSoldOut, parseOffer } from '../offers/read.ts'
import { isOvertaken, writeChange, type ChangeName } from './changes.ts'
import { deriveCommandId, isOpen, newCommand, type Command } from './command.ts'
import { scheduleCheck } from './schedule-check.ts'
import { isFinal, refuseForever, writeAgain } from './send.ts'
import { moveCommand, readCommand, writeCommand } from './store.ts'

/**
 * `none`: the offer had not sold out, so the command failed for another reason. `overtaken`: a
 * newer quantity was asked for, and its own command writes it.
 */
export type Restock = { outcome: 'none' | 'overtaken' | 'written' } | { outcome: 'refused', message: string }

/**
 * Writes the quantity of a command that failed because the offer had sold out before. The quantity
 * goes to the offer itself, as a command of its own.
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
  const command = newCommand({ quantity, isOfferWrite: true, offerIds: [offerId], createdAt })
  await writeChange(kv, { commandId, offerId, quantity, createdAt })
  await writeCommand(kv, commandId, command)
  return write(http, context, commandId, command)
}

async function write (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Restock> {
  if (!isOpen(command)) return { outcome: 'written' }
  const written = command.status === 'accepted' ? command : await writeOrRefuse(http, context, commandId, command)
  if (written === undefined) {
    await moveCommand(context, commandId, command, { type: 'finish' })
    return { outcome: 'overtaken' }
  }
  await scheduleCheck(context, commandId, written, 1)
  return { outcome: 'written' }
}

async function writeOrRefuse (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<Command | undefined> {
  try {
    return await writeAgain(http, context, commandId, command)
  } catch (error) {
    await refuseForever(context, commandId, command, error)
    throw error
  }
}
