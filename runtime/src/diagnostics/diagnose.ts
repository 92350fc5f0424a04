import { ageOf, type Facts } from './facts.ts'
import { findProblems, verdictOf } from './findings.ts'
import { lastPollAt, lastRuns } from './last-runs.ts'
import type { Diagnostics } from './schemas.ts'

/** Makes the answer to "why does nothing arrive, or leave?" of the facts. */
export function diagnose (facts: Facts): Diagnostics {
  const { checkedAt, connection, adapter, upstream, webhooks, jobs, cursors, schedules } = facts
  const { id, name, platformType, adapterKey, adapterVersion, status, statusReason, pauses } = connection
  const findings = findProblems(facts)
  return {
    connection: { id, name, platformType, adapterKey, adapterVersion, status, statusReason },
    checkedAt,
    verdict: verdictOf(facts, findings),
    findings,
    adapter: { state: adapter.state, isolation: adapter.isolation, message: adapter.message },
    pauses: [...pauses],
    upstream,
    arriving: {
      lastWebhookAt: webhooks?.lastDeliveryAt ?? null,
      lastPollAt: lastPollAt(jobs.last.runs),
      ...lastRuns(jobs.last.runs, 'in')
    },
    leaving: lastRuns(jobs.last.runs, 'out'),
    waiting: [...jobs.waiting],
    dead: jobs.dead.groups,
    atMost: { runs: jobs.last.atMost, waiting: jobs.isWaitingCut, dead: jobs.dead.atMost },
    cursors: cursors.map(cursor => ({ ...cursor, ageSeconds: secondsSince(facts, cursor.updatedAt) })),
    webhooks: webhooks && { ...webhooks, refusals: [...webhooks.refusals], unknownEvents: [...webhooks.unknownEvents] },
    schedules: [...schedules]
  }
}

// The database wrote the time, and its clock may be ahead.
function secondsSince (facts: Facts, time: string): number {
  return Math.max(0, Math.floor(ageOf(facts, time) / 1_000))
}
