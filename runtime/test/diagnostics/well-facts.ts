import type { Facts, WaitingFact } from '../../src/diagnostics/facts.ts'
import { findProblems } from '../../src/diagnostics/findings.ts'
import type { Finding } from '../../src/diagnostics/schemas.ts'
import type { LastRun } from '../../src/jobs/activity/store.ts'
import type { JobGroup } from '../../src/jobs/groups/schemas.ts'
import type { Traffic } from '../../src/upstream/schemas.ts'

export const checkedAt = '2026-01-31T12:00:00.000Z'
export const jobId = '5c0d4b3e-6a52-4d0c-8f0e-1f6f0c7f7a01'
const id = '0b0f4f9e-1c1d-4f57-9f0b-3f1c5f0d2a11'

/** A time so many minutes before the diagnosis. */
export const minutesAgo = (minutes: number): string => new Date(Date.parse(checkedAt) - minutes * 60_000).toISOString()
export const hoursAgo = (hours: number): string => minutesAgo(hours * 60)
export const daysAgo = (days: number): string => hoursAgo(days * 24)

export const operator = { kind: 'token', name: 'ada', tokenId: null } as const

export function lastRun (more: Partial<LastRun> = {}): LastRun {
  return {
    jobId,
    jobType: 'master.inventory.syncByExternalId',
    hasSucceeded: true,
    isScheduled: false,
    at: minutesAgo(2),
    problem: null,
    count: 1,
    ...more
  }
}

export function waitingJobs (more: Partial<WaitingFact> = {}): WaitingFact {
  return {
    reason: 'turn',
    detail: 'it is due and waits for a free worker',
    jobType: 'marketplace.offerQuantity.update',
    code: null,
    count: 3,
    oldestAt: minutesAgo(10),
    sampleJobId: jobId,
    ...more
  }
}

/** The traffic to a platform that sets no limits and works. */
export const freeTraffic: Traffic = {
  budget: { declared: null, own: null, learnt: null, effective: null },
  throttledUntil: null,
  rest: null,
  areas: [],
  breaker: { state: 'closed', openedAt: null, openUntil: null, openings: 0, failure: null }
}

export function deadJobs (more: Partial<JobGroup> = {}): JobGroup {
  return {
    connectionId: id,
    jobType: 'master.order.create',
    code: 'LNK_ADAPTER_REJECTED',
    count: 1,
    firstAt: hoursAgo(5),
    lastAt: hoursAgo(4),
    sampleJobId: jobId,
    ...more
  }
}

/** The facts of a connection with which nothing is wrong, with changes in each part. */
export function factsWith ({ connection, adapter, webhooks, jobs, ...more }: {
  connection?: Partial<Facts['connection']>,
  adapter?: Partial<Facts['adapter']>,
  webhooks?: Partial<Facts['webhooks']> | null,
  jobs?: Partial<Facts['jobs']>
} & Partial<Pick<Facts, 'workerAbsence' | 'credentials' | 'upstream' | 'cursors' | 'schedules'>> = {}): Facts {
  return {
    checkedAt,
    workerAbsence: null,
    connection: {
      id,
      name: 'My shop',
      platformType: 'shopa',
      adapterKey: 'shopa.webservice.v1',
      adapterVersion: '1.0.0',
      status: 'active',
      statusReason: null,
      isMoving: false,
      pauses: [],
      capabilities: ['ProductMaster', 'InventoryMaster', 'OrderProcessorManager'],
      createdAt: daysAgo(90),
      updatedAt: daysAgo(30),
      ...connection
    },
    adapter: {
      state: 'ready',
      isolation: 'inline',
      message: null,
      loadedVersions: ['1.0.0'],
      isAuthorised: false,
      ...adapter
    },
    credentials: { state: 'present' },
    upstream: freeTraffic,
    webhooks: webhooks === null ? null : {
      webhooksConfigured: true,
      lastDeliveryAt: minutesAgo(3),
      lastDeliveryEvent: 'stock.changed',
      lastDeliveryResult: 'succeeded',
      secretAgeSeconds: 86_400 * 30,
      testPingAt: daysAgo(30),
      testPingProblem: null,
      installWarning: null,
      installWarningAt: null,
      callbackUrl: 'https://hub.example/webhooks/shopa/c1',
      hasCallbackBaseUrl: true,
      publicUrl: null,
      canInstall: true,
      secretVariable: 'LINKER_WEBHOOK_SECRET__SHOPA__0B0F',
      eventJobs: [
        { eventType: 'product.saved', jobType: 'master.product.syncByExternalId' },
        { eventType: 'stock.changed', jobType: 'shopa.inventory.syncByExternalId' },
        { eventType: 'order.created', jobType: 'shopa.order.syncByExternalId' }
      ],
      refusals: [],
      unknownEvents: [],
      ...webhooks
    },
    jobs: {
      last: {
        runs: [lastRun(), lastRun({ jobType: 'master.order.create', at: hoursAgo(1) })],
        atMost: false
      },
      running: 0,
      waiting: [],
      isWaitingCut: false,
      dead: { groups: [], atMost: false },
      ...jobs
    },
    cursors: [{ cursorKey: 'orders', updatedAt: minutesAgo(30) }],
    schedules: [{
      name: 'master-inventory-sweep',
      every: '15m',
      enabled: true,
      job: 'master.inventory.syncAll',
      nextAt: minutesAgo(-5)
    }],
    ...more
  }
}

/** The only finding of these facts. */
export function findOne (facts: Facts): Finding {
  const [finding, ...more] = findProblems(facts)
  if (finding === undefined || more.length > 0) throw new Error(`${more.length} more findings: ${JSON.stringify(more)}`)
  return finding
}
