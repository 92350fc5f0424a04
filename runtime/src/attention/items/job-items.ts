import type { LateJobs } from '../../jobs/activity/store.ts'
import type { JobGroup } from '../../jobs/groups/schemas.ts'
import type { RedriveView } from '../../jobs/redrive/schemas.ts'
import { argumentOf, countOf, describeLength } from '../../words.ts'
import type { DeadCause } from '../dead-causes.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, orMore, shortText, type Named, type Names } from './new-item.ts'

const freshMs = 86_400_000
const veryLateMs = 1_800_000
/** The other groups are left out: a list of hundreds helps nobody. */
export const mostGroups = 100
/** A connection counts so many late jobs of each lane at most. */
export const mostLateJobs = 1_000

/**
 * Makes an item of each group of dead jobs. A group without a fresh one is a warning. Jobs of a
 * deleted connection are left out: nobody can run them again.
 */
export function deadJobItems (
  groups: readonly JobGroup[],
  { causes, names, nowMs }: { causes: ReadonlyMap<string, DeadCause>, names: Names, nowMs: number }
): AttentionItem[] {
  const living = groups.filter(({ connectionId }) => connectionId === null || names.has(connectionId))
  return living.slice(0, mostGroups).map(({ connectionId, jobType, code, count, firstAt, lastAt, sampleJobId }) => {
    const connection = names.get(connectionId ?? '')
    const of = connection === undefined ? 'the hub' : `'${connection.name}'`
    const filter = new URLSearchParams({
      ...(connectionId === null ? {} : { connectionId }),
      jobType,
      ...(code === null ? {} : { code })
    })
    const options = filterOf({ connection, jobType, code })
    return newItem({
      kind: 'dead-jobs',
      severity: nowMs - Date.parse(lastAt) < freshMs ? 'error' : 'warning',
      since: firstAt,
      count,
      connection,
      code,
      of: [jobType, code ?? ''].join(':'),
      title: titleOf({ count, code, cause: causes.get(sampleJobId), of }),
      detail: `${countOf(count, 'job')} ${jobType} of ${of} failed for good with ${code ?? 'no code'}, the last at ` +
        `${lastAt}; \`linker jobs show ${sampleJobId}\` shows why. \`linker jobs redrive ${options}\` ` +
        `runs them again once the cause is gone; \`linker jobs cancel-dead ${options}\` gives them up.`,
      target: `/jobs?status=dead&${filter.toString()}`
    })
  })
}

/** A text of a connection whose secrets the hub cannot read. */
const unreadable = '[redacted]'

/** The words of merchants: their product, and what the platform says about it. */
function titleOf ({ count, code, cause, of }: Pick<JobGroup, 'count' | 'code'> & {
  cause: DeadCause | undefined,
  of: string
}): string {
  const { subject = null, message = null } = cause ?? {}
  const isUnknown = message === null || message === unreadable
  const said = isUnknown ? `failed for good (${code ?? 'no code'})` : shortText(message)
  const who = subject === null ? capital(of) : `'${shortText(subject)}', ${of}`
  // Several jobs may be of one product.
  return `${who}: ${said}${count === 1 ? '' : ` (${countOf(count, 'job')})`}`
}

function capital (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The options of a redrive, which refuses to run without one. */
function filterOf ({ connection, jobType, code }: Pick<JobGroup, 'jobType' | 'code'> & {
  connection: Named | undefined
}): string {
  return [
    ...connection === undefined ? [] : [`--connection ${argumentOf(connection)}`],
    `--type ${jobType}`,
    ...code === null ? [] : [`--code ${code}`]
  ].join(' ')
}

type Waiting = Pick<RedriveView, 'id' | 'filter' | 'detail' | 'remaining' | 'startedAt' | 'startedBy'>

/** Makes an item of each redrive that waits. A fresh one may still be somebody's work. */
export function waitingRedriveItems (waiting: readonly Waiting[], names: Names, nowMs: number): AttentionItem[] {
  return waiting.map(({ id, filter, detail, remaining, startedAt, startedBy }) =>
    newItem({
      kind: 'waiting-redrive',
      severity: nowMs - Date.parse(startedAt) < freshMs ? 'info' : 'warning',
      since: startedAt,
      count: remaining,
      connection: names.get(filter.connectionId ?? ''),
      of: id,
      title: `A redrive of ${startedBy.name} waits: ${countOf(remaining, 'job')} ${
        remaining === 1 ? 'is' : 'are'
      } still dead`,
      detail: `${detail}. \`linker jobs redrive continue ${id}\` runs the others, \`linker jobs redrive stop ${id}\` ` +
        'ends it.',
      target: `/redrives/${id}`
    })
  )
}

/** Makes items of the jobs that could run and do not. */
export function lateJobItems (late: readonly LateJobs[], names: Names, nowMs: number): AttentionItem[] {
  return late.map(({ connectionId, count, since, sampleJobId }) => {
    const connection = names.get(connectionId ?? '')
    const of = connection === undefined ? 'the hub' : `'${connection.name}'`
    const ageMs = nowMs - Date.parse(since)
    return newItem({
      kind: 'late-jobs',
      severity: ageMs < veryLateMs ? 'warning' : 'error',
      since,
      count,
      connection,
      title: `The queue of ${of} is ${describeLength(ageMs)} behind`,
      detail: `${count}${orMore(count, mostLateJobs)} due ${count === 1 ? 'job has' : 'jobs have'} waited for a ` +
        `worker for up to ${describeLength(ageMs)}; \`linker jobs show ${sampleJobId}\` shows the first, and more ` +
        'worker processes or a higher `workers.perConnection` make the queue shorter.',
      target: connectionId === null ? '/jobs?status=queued' : `/jobs?status=queued&connectionId=${connectionId}`
    })
  })
}
