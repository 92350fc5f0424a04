import { findConnectionProblems } from './connection-findings.ts'
import type { Facts } from './facts.ts'
import { findJobProblems } from './job-findings.ts'
import { lastRuns } from './last-runs.ts'
import { findProcessProblems } from './process-findings.ts'
import { findReadingProblems } from './reading-findings.ts'
import type { Finding, Severity } from './schemas.ts'
import { findUpstreamProblems } from './upstream-findings.ts'
import { findWebhookProblems } from './webhook-findings.ts'

/** The causes first, then what follows from them: findings of one severity keep this order. */
const finders: readonly ((facts: Facts) => Finding[])[] = [
  findProcessProblems,
  findConnectionProblems,
  findUpstreamProblems,
  findWebhookProblems,
  findJobProblems,
  findReadingProblems
]

const severities: readonly Severity[] = ['blocking', 'warning', 'info']

/** Finds why nothing arrives from a connection, or leaves to it. The gravest reason comes first. */
export function findProblems (facts: Facts): Finding[] {
  const rank = ({ severity }: Finding): number => severities.indexOf(severity)
  return finders.flatMap(find => find(facts)).toSorted((a, b) => rank(a) - rank(b))
}

/** The first finding as one sentence. Findings that only inform are no problem. */
export function verdictOf (facts: Facts, [first]: readonly Finding[]): string {
  if (first !== undefined && first.severity !== 'info') return first.detail
  const { webhooks, jobs: { last: { runs } } } = facts
  const last = [
    // A platform that sends none has no time to name.
    ...webhooks === null ? [] : [said('webhook', webhooks.lastDeliveryAt)],
    said('reading', lastRuns(runs, 'in').lastSuccess?.at),
    said('write', lastRuns(runs, 'out').lastSuccess?.at)
  ]
  return `Nothing is wrong: ${last.join(', ')}.`
}

function said (what: string, at: string | null | undefined): string {
  return typeof at === 'string' ? `last ${what} ${at}` : `no ${what} yet`
}
