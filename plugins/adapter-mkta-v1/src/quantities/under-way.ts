import { isAdapterError, type HttpClient } from '@linker/sdk'
import pMap from 'p-map'
import type { MarketplaceContext } from '../config.ts'
import type { Command, CommandEvent } from './command.ts'
import { isDone, readProgress } from './endpoint.ts'
import { listOpenCommands, moveCommand, readCommand, type OpenCommand } from './store.ts'

const askedAtOnce = 4
/** The time in which the job of a check stores what it found. */
const afterCheckMs = 500
/** The wait before a check counts as lost with the process that made the command. */
const graceMs = 10_000
const askAgainMs = 5_000
/** How long a request may be on its way whose sender got no answer. */
const longestSendingMs = 60_000

/**
 * Finds which of the offers have an open command, and after how many milliseconds to look again.
 * Asks the marketplace only for commands that no check looks after.
 */
export async function findUnderWay (
  http: HttpClient,
  context: MarketplaceContext,
  offerIds: readonly string[]
): Promise<ReadonlyMap<string, number>> {
  const sought = new Set(offerIds)
  if (sought.size === 0) return new Map()
  const open = (await listOpenCommands(context.kv))
    .map(found => ({ ...found, offerIds: found.command.offerIds.filter(offerId => sought.has(offerId)) }))
    .filter(({ offerIds }) => offerIds.length > 0)
  const waits = await pMap(open, async found => ({
    offerIds: found.offerIds,
    waitMs: await waitOf(http, context, found).catch(waitAfterFailure)
  }), { concurrency: askedAtOnce })
  return new Map(waits.flatMap(({ offerIds, waitMs }) =>
    waitMs === undefined ? [] : offerIds.map(offerId => [offerId, waitMs] as const)
  ))
}

/** The question after an open command must not fail the writes to other offers. */
function waitAfterFailure (error: unknown): number {
  if (isAdapterError(error)) return askAgainMs
  throw error
}

/** Returns undefined when the command has ended. */
async function waitOf (
  http: HttpClient,
  context: MarketplaceContext,
  open: OpenCommand
): Promise<number | undefined> {
  const { commandId, command, check } = open
  const leftMs = Date.parse(check.dueAt) - context.clock.now().getTime()
  const isQueued = command.status === 'queued'
  if (!isQueued && leftMs > -graceMs) return Math.max(0, leftMs) + afterCheckMs
  const progress = await readProgress(http, commandId)
  const mayCome = isQueued && progress === undefined && check.isAnswered !== true && leftMs > -longestSendingMs
  if (isQueued && !mayCome) await settleUnanswered(context, commandId, progress !== undefined)
  return mayCome || (progress !== undefined && !isDone(progress)) ? askAgainMs : undefined
}

/**
 * Stores whether the marketplace has a command whose sending got no answer. The hub does not know
 * that a lost command was sent: its job sends the quantity again under another id.
 */
export async function settleUnanswered (
  context: MarketplaceContext,
  commandId: string,
  isThere: boolean
): Promise<Command | undefined> {
  const current = await readCommand(context.kv, commandId)
  // Another job has sent the command meanwhile.
  if (current?.status !== 'queued') return current
  const event: CommandEvent = isThere
    ? { type: 'accept' }
    : { type: 'abandon', error: 'the command did not reach the marketplace' }
  return moveCommand(context, commandId, current, event)
}
