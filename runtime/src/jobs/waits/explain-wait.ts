import { AdapterErrorCode } from '@linker/sdk'
import { HubErrorCode, JobProblemCode, type Problem } from '../retry-policy.ts'
import type { WaitsFor } from '../schemas.ts'

/** The facts that explain why a job does not run yet. */
export interface Wait {
  isDue: boolean
  /** Null: at the end of a pause that has no end yet. */
  dueAt: string | null
  /** Why its last run was put back. */
  problem: Problem | null
  /** The part of a group that it waits for. */
  part: string | null
  /** Why no job of its connection begins. */
  holds: readonly Hold[]
  /** The job of its object that comes first. */
  ahead: { id: string, jobType: string, isRunning: boolean, dueAt: string | null } | null
}

interface Hold {
  reason: string
  /** Null: it stands until somebody releases it. */
  until: string | null
}

/** The state of a connection, as its own folder describes it. */
export interface ConnectionState {
  name: string
  status: 'active' | 'disabled' | 'error'
  statusReason?: string | null | undefined
  /** A capability of null is the whole connection. */
  pauses: readonly { capability: string | null, reason: string | null }[]
}

const adapterCodes: ReadonlySet<string> = new Set([JobProblemCode.adapterMissing, JobProblemCode.adapterUnavailable])

/** The reason to show for a job that met a pause, by the code of its problem. */
const pauseReasons: ReadonlyMap<string, WaitsFor['reason']> = new Map([
  [HubErrorCode.connectionPaused, 'connection-paused'],
  [HubErrorCode.capabilityPaused, 'capability-paused']
])

/** The parts of a connection for which its requests to the platform wait. */
const upstreamParts = ['budget', 'rate-limit', 'unavailable', 'circuit-breaker'] as const

/**
 * Says why a job does not run yet. Names the cause that lasts: a hold of its connection stops the
 * job even when its time has come.
 */
export function explainWait (wait: Wait, connection: ConnectionState | undefined): WaitsFor {
  const { isDue, ahead, holds } = wait
  // A hold without an end needs a person, so it comes first.
  const hold = holds.find(({ until }) => until === null) ?? holds[0]
  if (hold !== undefined) return { ...explainHold(hold, connection), ...endOf(hold.until) }
  if (!isDue) return { ...explainDelay(wait), ...endOf(wait.dueAt) }
  if (ahead !== null) {
    const does = ahead.isRunning ? 'runs' : 'comes first'
    const detail = `job ${ahead.id} (${ahead.jobType}) of the same object ${does}`
    return { reason: 'object', detail, ...endOf(ahead.dueAt) }
  }
  return { reason: 'turn', detail: 'it is due and waits for a free worker, or for the share of its connection' }
}

function endOf (until: string | null): Pick<WaitsFor, 'until'> {
  return until === null ? {} : { until }
}

function explainHold ({ reason }: Hold, connection: ConnectionState | undefined): Omit<WaitsFor, 'until'> {
  const subject = connection === undefined ? 'its connection' : `its connection '${connection.name}'`
  switch (reason) {
    case 'inactive':
      return explainInactive(subject, connection)
    case 'moving':
      return {
        reason: 'connection-moving',
        detail: `${subject} is being moved to another adapter version, or one of its cursors is being changed`
      }
    case 'paused':
      return { reason: 'connection-paused', detail: `${subject} is paused${describeWhy(pauseReasonOf(connection))}` }
    default:
      return { reason: 'connection-held', detail: `${subject} is held: ${reason}` }
  }
}

function explainInactive (subject: string, connection: ConnectionState | undefined): Omit<WaitsFor, 'until'> {
  const { status, statusReason } = connection ?? {}
  const why = describeWhy(statusReason)
  if (status !== 'error') return { reason: 'connection-disabled', detail: `${subject} is disabled${why}` }
  return { reason: 'connection-error', detail: `${subject} is in error${why}` }
}

function pauseReasonOf (connection: ConnectionState | undefined): string | null | undefined {
  return connection?.pauses.find(({ capability }) => capability === null)?.reason
}

function describeWhy (reason: string | null | undefined): string {
  return typeof reason === 'string' ? `: ${reason}` : ''
}

function explainDelay ({ problem, part }: Wait): Omit<WaitsFor, 'until'> {
  if (problem === null) return { reason: 'delay', detail: 'it was asked for with a delay' }
  const { code, message: detail } = problem
  // The part of an area names it behind the reason.
  const awaited = upstreamParts.find(reason => reason === part?.split(':', 1)[0])
  if (awaited !== undefined) return { reason: awaited, detail }
  if (adapterCodes.has(code)) return { reason: 'adapter', detail }
  const paused = pauseReasons.get(code)
  if (paused !== undefined) return { reason: paused, detail }
  if (code === AdapterErrorCode.writeUnderWay) return { reason: 'object', detail }
  if (code === AdapterErrorCode.unavailable) return { reason: 'unavailable', detail }
  return { reason: code === AdapterErrorCode.rateLimited ? 'rate-limit' : 'retry', detail }
}
