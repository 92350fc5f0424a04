import { argumentOf, describeLength } from '../words.ts'
import { ageOf, type CursorFact, type Facts, type ScheduleFact } from './facts.ts'
import { lastRuns } from './last-runs.ts'
import type { Finding } from './schemas.ts'

/** A schedule makes the job of a slot within seconds. */
const lateMs = 300_000
const dayMs = 86_400_000

/** Finds why the hub does not read the platform on its own. */
export function findReadingProblems (facts: Facts): Finding[] {
  const { status } = facts.connection
  // The hub reads nothing for a connection that does not work, and other findings say so.
  if (status === 'disabled' || status === 'deleted') return []
  return [
    ...facts.schedules.flatMap(schedule => findSchedule(facts, schedule)),
    ...facts.cursors.flatMap(cursor => findCursor(facts, cursor))
  ]
}

function findSchedule (facts: Facts, { name, every, enabled, job, dueSince, lastJobId }: ScheduleFact): Finding[] {
  const { id, updatedAt } = facts.connection
  const all = { direction: 'in', ...(lastJobId === undefined ? {} : { evidence: { jobId: lastJobId } }) } as const
  if (!enabled) {
    return [{
      code: 'schedule-off',
      severity: getsWebhooks(facts) ? 'info' : 'warning',
      ...all,
      title: `The schedule ${name} is off`,
      detail: `The schedule ${name} is off, so nothing makes the job ${job} every ${every}.`,
      nextAction: `Switch it on with \`PATCH /connections/${id}/schedules/${name}\` and \`{ "enabled": true }\`, or ` +
        'in `schedules` of linker.config.json when it is off for all connections.'
    }]
  }
  // Its slot may have begun before the connection could run jobs at all.
  if (dueSince === undefined || ageOf(facts, dueSince) < lateMs || ageOf(facts, updatedAt) < lateMs) return []
  return [{
    code: 'schedule-late',
    severity: 'blocking',
    ...all,
    title: `The schedule ${name} does not fire`,
    detail: `The schedule ${name} should have made its job at ${dueSince}, ${
      describeLength(ageOf(facts, dueSince))
    } ago, and no process did.`,
    since: dueSince,
    nextAction: 'Start a process that fires schedules: `linker start --role worker`; a process with the role http ' +
      'fires none.'
  }]
}

function getsWebhooks (facts: Facts): boolean {
  const { lastDeliveryAt = null } = facts.webhooks ?? {}
  return lastDeliveryAt !== null && ageOf(facts, lastDeliveryAt) < 7 * dayMs
}

function findCursor (facts: Facts, { cursorKey, updatedAt }: CursorFact): Finding[] {
  const ageMs = ageOf(facts, updatedAt)
  if (ageMs < dayMs) return []
  const { lastSuccess } = lastRuns(facts.jobs.last.runs, 'in')
  const wasRead = lastSuccess !== null && lastSuccess.at > updatedAt
  return [{
    code: 'cursor-stuck',
    severity: wasRead ? 'info' : 'warning',
    direction: 'in',
    title: `The cursor ${cursorKey} has not moved`,
    detail: `The cursor ${cursorKey} has not moved for ${describeLength(ageMs)}, since ${updatedAt}; ${
      wasRead ? 'the platform was read since and may have nothing newer' : 'nothing was read from the platform since'
    }.`,
    since: updatedAt,
    evidence: { at: updatedAt },
    nextAction: `Compare it with the platform: \`linker connections cursors list ${argumentOf(facts.connection)}\`.`
  }]
}
