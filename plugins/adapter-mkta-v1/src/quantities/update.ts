import {
  AdapterErrorCode,
  isAdapterError,
  type AdapterError,
  type HttpClient,
  type QuantityChange,
  type QuantityChangeResult
} from '@linker/sdk'
import pMap from 'p-map'
import type { MarketplaceContext } from '../config.ts'
import { isOfferId } from '../offers/path.ts'
import { planCommands, type PlannedCommand } from './plan.ts'
import { sendCommand } from './send.ts'

const largestQuantity = 2_000_000_000
const commandsAtOnce = 4
const heldBack =
  'the hub holds the change back: the marketplace takes 9 000 changed offers a minute, and 250 000 an hour'

/**
 * Sets quantities. Up to a thousand offers that get the same quantity share one command. The
 * quantity 0, and any quantity of an offer that may be sold out, is written to the offer itself. A
 * retry repeats the same command as long as the wanted quantity is the same: the marketplace takes
 * each command id once.
 */
export async function updateQuantities (
  http: HttpClient,
  context: MarketplaceContext,
  changes: readonly QuantityChange[]
): Promise<QuantityChangeResult[]> {
  const refused = changes.flatMap(change => {
    const problem = problemOf(change)
    return problem === undefined ? [] : [failed(change.externalId, AdapterErrorCode.rejected, problem)]
  })
  const sent = changes.filter(change => problemOf(change) === undefined)
  const { commands, waiting, limited } = await planCommands(http, context, sent)
  const ends = await pMap(commands, async planned => ({
    offerIds: planned.offerIds,
    error: await attempt(http, context, planned)
  }), { concurrency: commandsAtOnce })

  const errors = ends.flatMap(({ error }) => error === undefined ? [] : [error])
  // Throw a rate limit first: only a thrown error carries the length of the pause.
  const [first] = errors.toSorted((a, b) =>
    Number(b.code === AdapterErrorCode.rateLimited) - Number(a.code === AdapterErrorCode.rateLimited)
  )
  const isAlone = refused.length === 0 && waiting.length === 0 && limited.length === 0
  if (first !== undefined && errors.length === ends.length && isAlone) throw first
  return [
    ...refused,
    ...waiting.map(({ offerId, waitMs }) =>
      failed(offerId, AdapterErrorCode.writeUnderWay, 'the marketplace has not ended the quantity before', waitMs)
    ),
    ...limited.map(({ offerId, waitMs }) => failed(offerId, AdapterErrorCode.rateLimited, heldBack, waitMs)),
    ...ends.flatMap(({ offerIds, error }) =>
      offerIds.map(offerId =>
        error === undefined
          ? { externalId: offerId, applied: ['stock'], frozen: [] }
          : failed(offerId, error.code, error.message)
      )
    )
  ]
}

async function attempt (
  http: HttpClient,
  context: MarketplaceContext,
  { commandId, command }: PlannedCommand
): Promise<AdapterError | undefined> {
  try {
    await sendCommand(http, context, commandId, command)
    return undefined
  } catch (error) {
    if (isAdapterError(error)) return error
    throw error
  }
}

function problemOf ({ externalId, quantity }: QuantityChange): string | undefined {
  if (!isOfferId(externalId)) return `'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an offer`
  if (Number.isInteger(quantity) && quantity >= 0 && quantity <= largestQuantity) return undefined
  return `${quantity} is not a quantity: it must be a whole number from 0 to ${largestQuantity}`
}

function failed (
  externalId: string,
  code: AdapterErrorCode,
  message: string,
  retryAfterMs?: number
): QuantityChangeResult {
  const error = { code, message, ...retryAfterMs === undefined ? {} : { retryAfterMs } }
  return { externalId, applied: [], frozen: [], error }
}
