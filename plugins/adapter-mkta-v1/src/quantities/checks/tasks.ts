import { quoteAnswer, type HttpClient, type JobOutcome } from '@linker/sdk'
import pMap from 'p-map'
import type { MarketplaceContext } from '../../config.ts'
import { readEnding, writeChange, type ChangeName } from '../changes.ts'
import { isDone, readProgress, readTasks, type Task } from '../endpoint.ts'
import { findOverlaps, findOverwritten } from '../overlaps.ts'
import { restock } from '../restock.ts'
import { rememberLate } from '../store.ts'
import { abandon, attemptsToEnd, checkLater, finish, type Check, type Refusal } from './outcomes.ts'

/**
 * About three and a half minutes. A command usually begins within seconds, but may take minutes.
 */
const attemptsToBegin = 10
const offersAtOnce = 4
const notBegun = 'the marketplace has not begun the command in three minutes: ' +
  "it may still do so, or it knows none of its offers as this seller's"
const notEnded = 'the marketplace has not finished the command in half an hour'
const unknownOffer = 'the marketplace knows no such offer of this seller'

/** Asks for the tasks of a command until all have ended, or until the hub gives the command up. */
export async function checkTasks (http: HttpClient, context: MarketplaceContext, check: Check): Promise<JobOutcome> {
  const { commandId, command, attempt } = check
  const progress = await readProgress(http, commandId)
  if (progress === undefined) return abandon(context, check, 'the marketplace does not know the command any more')
  const { total, failed } = progress.taskCount
  const hasEnded = isDone(progress)
  const isSlow = total === 0 && attempt >= attemptsToBegin
  if (!hasEnded && (isSlow || attempt >= attemptsToEnd)) {
    await rememberLate(context.kv, commandId)
    return abandon(context, check, isSlow ? notBegun : notEnded)
  }
  const overlaps = hasEnded ? await findOverlaps(context.kv, command) : undefined
  if (overlaps === undefined || (overlaps.isOpen && attempt < attemptsToEnd)) return checkLater(context, check)

  const refused = failed === 0 && total >= command.offerIds.length ? [] : await readFailures(http, context, check)
  return finish(context, check, refused, await findOverwritten(http, command, overlaps))
}

/**
 * Stores the result of each offer whose task failed or is missing. An offer that sold out meanwhile
 * is started again.
 */
async function readFailures (
  http: HttpClient,
  context: MarketplaceContext,
  { commandId, command }: Check
): Promise<Refusal[]> {
  const tasks = new Map((await readTasks(http, commandId)).map(task => [task.offer.id, task]))
  const failures = command.offerIds.filter(offerId => tasks.get(offerId)?.status !== 'SUCCESS')
  const refused = await pMap(failures, async (offerId): Promise<Refusal[]> => {
    const change = { commandId, offerId, quantity: command.quantity, createdAt: command.createdAt }
    // An aborted run of this job may have stored the ending already.
    const known = await readEnding(context.kv, change)
    const { isRefused, error } = known === undefined
      ? await judge(http, context, change, tasks.get(offerId))
      : { isRefused: known.status !== 'succeeded', error: known.error ?? '' }
    if (known === undefined) {
      await writeChange(context.kv, change, {
        status: isRefused ? 'rejected' : 'succeeded',
        error: isRefused ? error : null,
        updatedAt: context.clock.now().toISOString()
      })
    }
    return isRefused ? [{ offerId, message: error }] : []
  }, { concurrency: offersAtOnce })
  return refused.flat()
}

/**
 * Decides whether the change of a failed task is refused. The marketplace words the reason in many
 * ways, so the offer itself shows whether it had sold out.
 */
async function judge (
  http: HttpClient,
  context: MarketplaceContext,
  change: ChangeName,
  task: Task | undefined
): Promise<{ isRefused: boolean, error: string }> {
  const said = reasonOf(task)
  if (task === undefined) return { isRefused: true, error: said }
  const restocked = await restock(http, context, change)
  if (restocked.outcome === 'refused') return { isRefused: true, error: restocked.message }
  return { isRefused: restocked.outcome === 'none', error: said }
}

function reasonOf (task: Task | undefined): string {
  if (task === undefined) return unknownOffer
  const errors = (task.errors ?? []).map(({ code, message }) =>
    [code, message].filter(text => typeof text === 'string' && text !== '').join(': ')
  )
  const said = errors.join('; ')
  return quoteAnswer(said === '' ? task.message ?? '' : said, { longest: 500 }) || 'the marketplace did not say why'
}
