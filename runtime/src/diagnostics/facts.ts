import type { AuditActor } from '../audit/schemas.ts'
import type { Pause } from '../connections/pauses/schemas.ts'
import type { LastRuns } from '../jobs/activity/store.ts'
import type { CountedGroups } from '../jobs/groups/schemas.ts'
import type { WorkerAbsence } from '../jobs/worker-absence.ts'
import type { ScheduleView } from '../schedules/schemas.ts'
import type { Traffic } from '../upstream/schemas.ts'
import type { UnknownEvents } from '../webhooks/deliveries/unknown-events.ts'
import type { WebhookStatus } from '../webhooks/install-schemas.ts'
import type { RefusalView } from '../webhooks/refusals/schemas.ts'
import type { WaitingView } from './schemas.ts'

/**
 * All that the diagnosis of a connection knows, without secrets. Times are ISO 8601. Each member
 * comes from one folder, and each has finders of its own: a folder that knows another reason adds a
 * member and a finder.
 */
export interface Facts {
  /** The hub's time at which the facts were read. */
  checkedAt: string
  /** Null while a process runs jobs, or may. */
  workerAbsence: WorkerAbsence | null
  connection: ConnectionFacts
  adapter: AdapterFacts
  credentials: CredentialsFacts
  /** The traffic to the platform; null when the connection is deleted. */
  upstream: Traffic | null
  webhooks: WebhookFacts | null
  jobs: JobFacts
  cursors: readonly CursorFact[]
  schedules: readonly ScheduleFact[]
}

export interface ConnectionFacts {
  id: string
  name: string
  platformType: string
  adapterKey: string
  /** Null: the newest. */
  adapterVersion: string | null
  status: 'active' | 'disabled' | 'error' | 'deleted'
  statusReason: string | null
  /** Who gave it this status, and when; undefined when the audit does not know. */
  statusChange?: { at: string, by: AuditActor } | undefined
  isMoving: boolean
  pauses: readonly Pause[]
  capabilities: readonly string[]
  createdAt: string
  updatedAt: string
}

/** The adapter in the process that answers; others may differ. */
export interface AdapterFacts {
  state: 'ready' | 'degraded' | 'crashed' | 'missing'
  isolation: 'inline' | 'worker' | null
  /** Why it is not `ready`. */
  message: string | null
  /** The versions of its key that are loaded, newest first. */
  loadedVersions: readonly string[]
  /** Whether an account is authorised in a browser. */
  isAuthorised: boolean
}

export type CredentialsFacts =
  | { state: 'present' | 'not needed' | 'missing' }
  | { state: 'unreadable', message: string }

export interface WebhookFacts extends WebhookStatus {
  /** Whether the hub can tell the platform where to send them. */
  canInstall: boolean
  /** Whether the config has the public address of the hub, which an install needs. */
  hasCallbackBaseUrl: boolean
  /** `LINKER_PUBLIC_URL`; null when it is not set. */
  publicUrl: string | null
  /** The variable that may hold the secret of the connection. */
  secretVariable: string
  /** The events that start jobs on the connection, each with the type of its job. */
  eventJobs: readonly EventJob[]
  refusals: readonly RefusalView[]
  unknownEvents: readonly UnknownEvents[]
}

export interface EventJob {
  eventType: string
  jobType: string
}

export interface JobFacts {
  last: LastRuns
  /** How many run now, up to a limit. */
  running: number
  waiting: readonly WaitingFact[]
  isWaitingCut: boolean
  dead: CountedGroups
}

/** Jobs that do not run yet. */
export interface WaitingFact extends WaitingView {
  /** Since when the first of them could run; undefined when something keeps them. */
  readySince?: string
  /** When the last of them may go on, if that is known. */
  lastUntil?: string
}

export interface CursorFact {
  cursorKey: string
  updatedAt: string
}

export interface ScheduleFact extends Omit<ScheduleView, 'connectionId'> {
  /** When the slot began that has no job yet; undefined when it has one. */
  dueSince?: string
}

/** Milliseconds since a time, as the facts have it. */
export function ageOf ({ checkedAt }: Pick<Facts, 'checkedAt'>, time: string): number {
  return Date.parse(checkedAt) - Date.parse(time)
}
