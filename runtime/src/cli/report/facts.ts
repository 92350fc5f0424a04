import type { AttentionItem } from '../../attention/schemas.ts'
import type { ConnectionView } from '../../connections/schemas.ts'
import type { Diagnostics, Run } from '../../diagnostics/schemas.ts'
import type { ShownJob } from '../../jobs/show-jobs.ts'
import type { System } from '../../system/schemas.ts'
import type { Finding } from '../doctor/finding.ts'
import { HubError } from '../hub-client.ts'

// A report leaves the house. A text that a platform, an adapter or a person wrote may hold the name
// of a buyer, so these functions name each member that they take over, and no text is among them.

const code = /^(?:[A-Z][A-Z0-9_]{0,99}|[a-z][a-z0-9-]{0,59})$/
const memberName = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/

/** Returns a code as it is, and `other` for any text that an adapter reports as a code. */
function codeOf (problem: { code: string } | null | undefined): string | null {
  if (problem === null || problem === undefined) return null
  return code.test(problem.code) ? problem.code : 'other'
}

/** The findings whose texts are the doctor's own: others quote settings, errors and names. */
const ownTexts: Readonly<Record<string, readonly Finding['mark'][]>> = {
  'node': ['ok', 'failed'],
  'linker.lock': ['ok', 'warning'],
  'adapters': ['warning'],
  'adapter': ['ok'],
  'connections': ['ok'],
  'jobs': ['ok', 'warning']
}

/** Takes over a finding of the doctor, with its texts only if they are the doctor's own. */
export function doctorFacts ({ mark, check, message, remedy }: Finding) {
  const isOwn = Object.hasOwn(ownTexts, check) && ownTexts[check]?.includes(mark) === true
  return isOwn ? { mark, check, message, remedy } : { mark, check }
}

/** Describes a hub without addresses, paths and names of machines, which its settings hold. */
export function systemFacts (system: System) {
  const { version, node, mode, role, encryption, isProduction, processes, adapters, start } = system
  return {
    version,
    node,
    mode,
    role,
    encryption,
    isProduction,
    processes: processes.map(({ id, role, mode, version, startedAt, seenAt, answers }) => ({
      id,
      role,
      mode,
      version,
      startedAt,
      seenAt,
      answers
    })),
    adapters: adapters.map(({ adapter, state }) => ({ adapter, state })),
    start: start.map(({ step, ms }) => ({ step, ms }))
  }
}

/** Takes over the items that need a person, without their texts, which hold names and paths. */
export function attentionFacts (items: readonly AttentionItem[]) {
  return items.map(({ kind, severity, since, count, code }) => ({
    kind,
    severity,
    since,
    count,
    code: code === undefined ? null : codeOf({ code })
  }))
}

/** Says by a code why a part is missing: the text of an error may quote anything. */
export function failureFacts (error: unknown) {
  const given = error instanceof HubError ? error.problem?.code ?? error.notAsked : undefined
  const own = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'other'
  return { failed: codeOf({ code: given ?? own }) }
}

/** Takes over a connection without its name, its reasons and the values of its config. */
export function connectionFacts (connection: ConnectionView) {
  const { id, platformType, adapterKey, adapterVersion, status, capabilities, config, settings, pauses } = connection
  const { webhooksConfigured, createdAt, updatedAt } = connection
  return {
    id,
    platformType,
    adapterKey,
    adapterVersion,
    status,
    capabilities,
    configMembers: Object.keys(config).filter(name => memberName.test(name)),
    settings,
    pauses: pauses.map(({ capability, since, until }) => ({ capability, since, until })),
    webhooksConfigured,
    createdAt,
    updatedAt
  }
}

export function diagnosticsFacts (found: Diagnostics) {
  const { connection: { id, platformType, status }, checkedAt, findings, adapter, arriving, leaving, waiting } = found
  const { dead, atMost, cursors, webhooks, schedules, upstream } = found
  return {
    connection: { id, platformType, status },
    checkedAt,
    findings: findings.map(({ code, severity, direction, since, count }) => ({
      code,
      severity,
      direction,
      since,
      count
    })),
    adapter: { state: adapter.state, isolation: adapter.isolation },
    arriving: {
      lastWebhookAt: arriving.lastWebhookAt,
      lastPollAt: arriving.lastPollAt,
      lastSuccess: runFacts(arriving.lastSuccess),
      lastFailure: runFacts(arriving.lastFailure)
    },
    leaving: { lastSuccess: runFacts(leaving.lastSuccess), lastFailure: runFacts(leaving.lastFailure) },
    waiting: waiting.map(({ reason, jobType, code, count, oldestAt, until }) => ({
      reason,
      jobType,
      code: code === null ? null : codeOf({ code }),
      count,
      oldestAt,
      until
    })),
    dead: dead.map(({ jobType, code, count, firstAt, lastAt }) => ({
      jobType,
      code: code === null ? null : codeOf({ code }),
      count,
      firstAt,
      lastAt
    })),
    atMost,
    breaker: upstream?.breaker.state ?? null,
    throttledUntil: upstream?.throttledUntil ?? null,
    cursors: cursors.map(({ updatedAt, ageSeconds }) => ({ updatedAt, ageSeconds })),
    refusals: webhooks?.refusals.map(({ code, count, firstAt, lastAt }) => ({ code, count, firstAt, lastAt })) ?? [],
    unknownEvents: webhooks?.unknownEvents.length ?? 0,
    schedules: schedules.map(({ name, every, enabled, nextAt }) => ({ name, every, enabled, nextAt }))
  }
}

function runFacts (run: Run | null) {
  return run === null ? null : { jobType: run.jobType, at: run.at, code: codeOf(run.problem) }
}

/** Takes over a job without payload, result, object, request and the texts of its problems. */
export function jobFacts (job: ShownJob) {
  const { id, jobType, connectionId, status, adapter, attempts, problem, createdAt, finishedAt } = job
  return {
    id,
    jobType,
    connectionId,
    status,
    adapter,
    code: codeOf(problem),
    attempts: attempts.map(({ startedAt, finishedAt: endedAt, error }) => ({
      startedAt,
      finishedAt: endedAt,
      code: codeOf(error)
    })),
    createdAt,
    finishedAt
  }
}

/** Replaces the values in an object or a list by their types. */
export function withoutValues (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutValues)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutValues(member)]))
}
