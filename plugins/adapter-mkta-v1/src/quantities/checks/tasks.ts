import type { HttpClient, JobOutcome } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import type { MarketplaceContext } from '../../config.ts'
import { inParallel } from '../../in-parallel.ts'
import { Nullable } from '../../nullable.ts'
import { parseAs } from '../../read-answer.ts'
import { readEnding, writeChange, type ChangeName } from '../changes.ts'
import { restock } from '../restock.ts'
import { commandPath, readSummary } from '../send.ts'
import { attemptsToEnd, checkLater, giveUp, succeed, type Checked, type Refusal } from './outcomes.ts'

/**
 * About three and a half minutes. A command usually begins within seconds, but may take minutes.
 */
const attemptsToBegin = 10
const tasksAtOnce = 1_000
const offersAtOnce = 4
const notBegun = 'the marketplace has not begun the command in three minutes: ' +
  "it may still do so, or it knows none of its offers as this seller's"
const unknownOffer = 'the marketplace knows no such offer of this seller'

const Task = Type.Object({
  offer: Type.Object({ id: Type.String() }),
  status: Type.String(),
  message: Nullable(Type.String()),
  errors: Nullable(Type.Array(Type.Object({ code: Nullable(Type.String()), message: Nullable(Type.String()) })))
})
type Task = Static<typeof Task>
const Tasks = Type.Object({ tasks: Type.Array(Task) })

/** Asks for the tasks of a command until all have ended, or until the hub gives the command up. */
export async function checkTasks (
  http: HttpClient,
  context: MarketplaceContext,
  checked: Checked
): Promise<JobOutcome> {
  const { commandId, command, attempt } = checked
  const summary = await readSummary(http, commandId)
  if (summary === undefined) return giveUp(context, checked, 'the marketplace does not know the command any more')
  const { completedAt, taskCount: { total, success, failed } } = summary
  const isDone = typeof completedAt === 'string' || (total > 0 && success + failed >= total)
  if (!isDone && total === 0 && attempt >= attemptsToBegin) return giveUp(context, checked, notBegun)
  if (!isDone && attempt >= attemptsToEnd) {
    return giveUp(context, checked, 'the marketplace has not finished the command in half an hour')
  }
  if (!isDone) return checkLater(context, checked)

  const refused = failed === 0 && total >= command.offerIds.length ? [] : await readFailures(http, context, checked)
  return succeed(context, checked, refused)
}

/**
 * Stores the result of each offer whose task failed or is missing. An offer that sold out meanwhile
 * is started again.
 */
async function readFailures (
  http: HttpClient,
  context: MarketplaceContext,
  { commandId, command }: Checked
): Promise<Refusal[]> {
  const tasks = new Map((await readTasks(http, commandId)).map(task => [task.offer.id, task]))
  const failures = command.offerIds.filter(offerId => tasks.get(offerId)?.status !== 'SUCCESS')
  const refused = await inParallel(failures, offersAtOnce, async (offerId): Promise<Refusal[]> => {
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
  })
  return refused.flat()
}

async function readTasks (http: HttpClient, commandId: string): Promise<Task[]> {
  const found: Task[] = []
  for (let offset = 0;;) {
    const query = { limit: tasksAtOnce, offset }
    const answer = await http.json({ method: 'GET', path: `${commandPath(commandId)}/tasks`, query })
    const { tasks } = parseAs(Tasks, answer, 'the tasks of a command')
    found.push(...tasks)
    offset += tasks.length
    if (tasks.length < tasksAtOnce) return found
  }
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
  return (said === '' ? task.message ?? '' : said).slice(0, 500) || 'the marketplace did not say why'
}
