import { authorisationRoute } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { listCursors } from '../adapters/store.ts'
import { listEntries } from '../audit/store.ts'
import type { Connections } from '../connections/connections.ts'
import type { Connection } from '../connections/entity.ts'
import type { EventJobsOf } from '../connections/moves/event-changes.ts'
import { findDeletedOne } from '../connections/store.ts'
import { readTraffic } from '../connections/upstream/read-traffic.ts'
import { needsNoCredentials } from '../connections/validate.ts'
import type { Query } from '../database/database.ts'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import { ConnectionNotFoundException } from '../errors.ts'
import { readLastRuns, readWaiting } from '../jobs/activity/store.ts'
import { readLeftGroupsOf } from '../jobs/groups/store.ts'
import { redactProblem, type Redact } from '../jobs/show-jobs.ts'
import { runningJobs } from '../jobs/store.ts'
import type { ConnectionState } from '../jobs/waits/explain-wait.ts'
import type { ReadWorkerAbsence } from '../jobs/worker-absence.ts'
import type { Schedules } from '../schedules/plugin.ts'
import { parseEvery, slotAt, startOfSlot, timingOf } from '../schedules/slots.ts'
import { readUnknownEvents } from '../webhooks/deliveries/unknown-events.ts'
import type { WebhookInstalls } from '../webhooks/installs.ts'
import type { Refusals } from '../webhooks/refusals/refusals.ts'
import { remedyOf } from '../webhooks/refusals/remedies.ts'
import { secretNamesOf } from '../webhooks/secrets.ts'
import type {
  AdapterFacts,
  ConnectionFacts,
  CredentialsFacts,
  CursorFact,
  Facts,
  JobFacts,
  ScheduleFact,
  WebhookFacts
} from './facts.ts'
import { describeWaiting } from './waiting-facts.ts'

export interface FactServices {
  query: Query
  connections: Pick<Connections, 'find' | 'readCredentials' | 'redactorsOf'>
  registry: Pick<Registry, 'find' | 'explain' | 'versions'>
  schedules: Pick<Schedules, 'list'>
  webhookInstalls: Pick<WebhookInstalls, 'status'>
  webhookRefusals: Pick<Refusals, 'list'>
  readWorkerAbsence: ReadWorkerAbsence
  eventJobsOf: EventJobsOf
  /** For so many days a delivery can be replayed. */
  keptDays: number
  /** `LINKER_PUBLIC_URL`. */
  publicUrl: string | undefined
  now: () => Date
}

const days = 7
const mostEntries = 200
const mostRunning = 100

/**
 * Reads all that the diagnosis of a connection needs, with a bounded number of statements that are
 * bounded themselves. Of a deleted connection only its jobs and the audit are left. Throws
 * `LNK_CONNECTION_NOT_FOUND` for an id that no connection ever had.
 */
export async function readFacts (services: FactServices, id: string): Promise<Facts> {
  const connection = await services.connections.find(id)
  return connection === undefined ? readDeletedFacts(services, id) : readPresentFacts(services, connection)
}

async function readPresentFacts (services: FactServices, connection: Connection): Promise<Facts> {
  const { query, connections, registry, now } = services
  const serving = registry.find(connection.adapterKey, connection.adapterVersion)
  const redact = (await connections.redactorsOf([connection.id]))(connection.id)
  const [workerAbsence, facts, credentials, upstream, webhooks, jobs, cursors, schedules] = await Promise.all([
    services.readWorkerAbsence(query),
    readConnectionFacts(query, connection),
    readCredentialsFacts(services, connection, serving),
    readTraffic(query, connection.id, serving, redact),
    mayGetWebhooks(serving) ? readWebhookFacts(services, connection, serving) : null,
    readJobFacts(query, connection, redact),
    readCursorFacts(query, connection.id, redact),
    readScheduleFacts(services, connection)
  ])
  return {
    checkedAt: now().toISOString(),
    workerAbsence: workerAbsence ?? null,
    connection: facts,
    adapter: adapterFactsOf(registry, connection, serving),
    credentials,
    upstream,
    webhooks,
    jobs,
    cursors,
    schedules
  }
}

async function readDeletedFacts ({ query, connections, registry, now }: FactServices, id: string): Promise<Facts> {
  const deleted = await findDeletedOne(query, id)
  if (deleted === undefined) throw new ConnectionNotFoundException(id)
  const { name, platformType, adapterKey, deletedAt } = deleted
  const was = {
    id: deleted.id,
    name,
    status: 'disabled',
    statusReason: null,
    pauses: [],
    adapterKey,
    adapterVersion: null
  } as const
  const redact = (await connections.redactorsOf([deleted.id]))(deleted.id)
  const [entry] = await listEntries(query, { connectionId: deleted.id, action: 'connection.delete', limit: 1 })
  return {
    checkedAt: now().toISOString(),
    workerAbsence: null,
    connection: {
      id: deleted.id,
      name,
      platformType,
      adapterKey,
      adapterVersion: null,
      status: 'deleted',
      statusReason: null,
      statusChange: entry && { at: deletedAt, by: entry.actor },
      isMoving: false,
      pauses: [],
      capabilities: [],
      createdAt: deleted.createdAt,
      updatedAt: deletedAt
    },
    adapter: adapterFactsOf(registry, was, registry.find(adapterKey)),
    credentials: { state: 'not needed' },
    upstream: null,
    webhooks: null,
    jobs: await readJobFacts(query, was, redact),
    cursors: [],
    schedules: []
  }
}

async function readConnectionFacts (query: Query, connection: Connection): Promise<ConnectionFacts> {
  const { id, name, platformType, status, statusReason, adapterKey, adapterVersion } = connection
  const { isMoving, pauses, capabilities, createdAt, updatedAt } = connection
  return {
    id,
    name,
    platformType,
    adapterKey,
    adapterVersion: adapterVersion ?? null,
    status,
    statusReason: statusReason ?? null,
    statusChange: status === 'active' ? undefined : await findStatusChange(query, id),
    isMoving,
    pauses,
    capabilities,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString()
  }
}

/** The last change of the status that the audit has among the newest entries of a connection. */
async function findStatusChange (query: Query, connectionId: string): Promise<ConnectionFacts['statusChange']> {
  const entries = await listEntries(query, { connectionId, limit: mostEntries })
  const entry = entries.find(({ changes }) => changes.some(({ pointer }) => pointer === '/status'))
  return entry && { at: entry.createdAt, by: entry.actor }
}

function adapterFactsOf (
  registry: FactServices['registry'],
  { adapterKey, adapterVersion }: Pick<Connection, 'adapterKey' | 'adapterVersion'>,
  serving: LoadedAdapter | undefined
): AdapterFacts {
  const loadedVersions = registry.versions(adapterKey).map(({ version }) => version)
  if (serving === undefined) {
    const message = registry.explain(adapterKey, adapterVersion)
    return { state: 'missing', isolation: null, message, loadedVersions, isAuthorised: false }
  }
  const health = serving.carrier.health()
  return {
    state: health.state === 'ready' || health.state === 'degraded' ? health.state : 'crashed',
    isolation: serving.carrier.isolation(),
    message: 'message' in health ? health.message : null,
    loadedVersions,
    isAuthorised: authorisationRoute(serving.description) !== undefined
  }
}

async function readCredentialsFacts (
  { connections }: FactServices,
  { id, credentialsRef }: Connection,
  serving: LoadedAdapter | undefined
): Promise<CredentialsFacts> {
  if (typeof credentialsRef !== 'string') {
    return { state: serving === undefined || needsNoCredentials(serving) ? 'not needed' : 'missing' }
  }
  try {
    await connections.readCredentials(id)
    return { state: 'present' }
  } catch (error) {
    if (isInfrastructureError(error) || !(error instanceof Error)) throw error
    return 'code' in error && error.code === 'LNK_CREDENTIALS_NOT_FOUND'
      ? { state: 'missing' }
      : { state: 'unreadable', message: error.message }
  }
}

/** The hub accepts webhooks while the adapter is missing. */
function mayGetWebhooks (serving: LoadedAdapter | undefined): boolean {
  return serving === undefined || serving.description.webhooks !== undefined
}

async function readWebhookFacts (
  { query, registry, webhookInstalls, webhookRefusals, eventJobsOf, keptDays, publicUrl }: FactServices,
  connection: Connection,
  serving: LoadedAdapter | undefined
): Promise<WebhookFacts> {
  const [status, refusals, unknownEvents] = await Promise.all([
    webhookInstalls.status(connection.id),
    webhookRefusals.list(connection.id),
    readUnknownEvents(query, [connection], { registry, eventJobsOf, keptDays })
  ])
  return {
    ...status,
    canInstall: serving?.description.webhooks?.canInstall === true,
    hasCallbackBaseUrl: Boolean(connection.config.callbackBaseUrl),
    publicUrl: publicUrl ?? null,
    secretVariable: secretNamesOf(connection)[0],
    eventJobs: [...eventJobsOf(connection, serving)].map(([eventType, jobType]) => ({ eventType, jobType })),
    refusals: refusals.map(count => ({ ...count, remedy: remedyOf(count.code) })),
    unknownEvents: unknownEvents.get(connection.id) ?? []
  }
}

async function readJobFacts (
  query: Query,
  connection: ConnectionState & { id: string },
  redact: Redact
): Promise<JobFacts> {
  const { id } = connection
  const [last, waiting, dead, running] = await Promise.all([
    readLastRuns(query, id),
    readWaiting(query, id),
    readLeftGroupsOf(query, id, days),
    runningJobs(query, id, mostRunning)
  ])
  return {
    last: { ...last, runs: last.runs.map(run => ({ ...run, problem: redactProblem(run.problem, redact) })) },
    running: running.length,
    waiting: describeWaiting(waiting, connection, text => String(redact(text))),
    isWaitingCut: waiting.atMost,
    dead
  }
}

async function readCursorFacts (query: Query, connectionId: string, redact: Redact): Promise<CursorFact[]> {
  return (await listCursors(query, connectionId)).map(({ name, updatedAt }) => ({
    cursorKey: String(redact(name)),
    updatedAt
  }))
}

async function readScheduleFacts ({ schedules, now }: FactServices, connection: Connection): Promise<ScheduleFact[]> {
  return (await schedules.list([connection])).map(({ connectionId, ...schedule }) => {
    const { name, every, nextAt } = schedule
    const nowMs = now().getTime()
    // The list says that a slot is due now as long as nobody has made its job.
    if (nextAt === null || Date.parse(nextAt) > nowMs) return schedule
    const timing = timingOf(connectionId, name, parseEvery(every))
    return { ...schedule, dueSince: new Date(startOfSlot(timing, slotAt(timing, nowMs))).toISOString() }
  })
}
