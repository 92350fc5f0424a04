import { isAdapterError, type HttpClient, type KeyValueStore } from '@linker/sdk'
import pMap from 'p-map'
import { fetchOffer } from '../offers/fetch.ts'
import { parseOffer } from '../offers/read.ts'
import { findNewer, type Change } from './changes.ts'
import { isOpen, type Command } from './command.ts'
import { isFinal } from './send.ts'
import { readCommand } from './store.ts'

const readAtOnce = 4

/** The newer quantities that were sent while a command was open. */
export interface Overlaps {
  /** Whether the marketplace still works on one of them. */
  isOpen: boolean
  ended: readonly Change[]
}

/**
 * Finds the newer quantities for the offers of a command. The hub sends none while it knows that
 * the command is open; but two processes may have sent at once, or one was killed before it stored
 * an answer. A newer write to the offer itself is sent at once. It waits for the commands for many
 * offers before it, so only an older write to the offer may wait for its end.
 */
export async function findOverlaps (
  kv: KeyValueStore,
  { createdAt, offerIds, isOfferWrite }: Command
): Promise<Overlaps> {
  const newer = [...(await findNewer(kv, createdAt, offerIds)).values()]
  const found = await pMap(newer, async change => ({
    change,
    command: await readCommand(kv, change.commandId)
  }), { concurrency: readAtOnce })
  return {
    isOpen: found.some(({ command }) =>
      command !== undefined && isOpen(command) && (isOfferWrite || !command.isOfferWrite)
    ),
    ended: found.flatMap(({ change, command }) => (change.ending ?? command)?.status === 'succeeded' ? [change] : [])
  }
}

/**
 * Reads the offers of overlapping commands that have ended, and returns those that show an older
 * quantity than the last one. A lower stock may be what is left of the newer quantity after sales,
 * but one that the older quantity explains as well is returned.
 */
export async function findOverwritten (
  http: HttpClient,
  { quantity: older }: Command,
  { ended }: Overlaps
): Promise<string[]> {
  const found = await pMap(ended, async ({ offerId, quantity }) => {
    const shown = await readAvailable(http, offerId)
    return shown !== undefined && (shown > quantity || (older < quantity && shown <= older)) ? [offerId] : []
  }, { concurrency: readAtOnce })
  return found.flat()
}

async function readAvailable (http: HttpClient, offerId: string): Promise<number | undefined> {
  try {
    return parseOffer(await fetchOffer(http, offerId)).stock?.available ?? 0
  } catch (error) {
    // The offer is gone: this must not end the command for its other offers.
    if (isAdapterError(error) && isFinal(error)) return undefined
    throw error
  }
}
