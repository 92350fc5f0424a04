import type { Log } from '@linker/sdk'
import { type CallEffects, type HostServices, type PlatformServices } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRequest } from '../jobs/job.ts'
import { acquireLock, listCursors, readCursor, releaseLock } from './store.ts'
import { createValues } from './values.ts'

/** The services that keep something, the same for every adapter. */
export type StateServices = Pick<
  HostServices,
  | 'readValue'
  | 'writeValue'
  | 'deleteValue'
  | 'listValues'
  | 'readCursor'
  | 'listCursors'
  | 'acquireLock'
  | 'releaseLock'
  | 'readCredentials'
  | 'renewCredentials'
  | 'refuseRefresh'
  | 'identifyJob'
>

/** The services for stored credentials. The folders above this one supply them. */
export type CredentialServices = Pick<HostServices, 'readCredentials' | 'renewCredentials' | 'refuseRefresh'>

export interface StateServicesOptions extends CredentialServices {
  database: Pick<Database, 'query'>
}

export function createStateServices ({ database: { query }, ...credentials }: StateServicesOptions): StateServices {
  return {
    ...createValues(query),
    readCursor: (connectionId, name) => readCursor(query, connectionId, name),
    listCursors: connectionId => listCursors(query, connectionId),
    acquireLock: (connectionId, name, leaseMs) =>
      acquireLock(query, { connectionId, name, token: randomUUID(), leaseMs: Math.ceil(leaseMs) }),
    releaseLock: (connectionId, name, token) => releaseLock(query, connectionId, name, token),
    ...credentials,
    identifyJob: async (connectionId, jobType, key) => jobIdOf(keyOf(connectionId, jobType, key))
  }
}

/** The jobs that a call asked for. */
export function jobRequestsOf (
  connectionId: string,
  jobs: CallEffects['jobs'],
  requestId: string | undefined
): JobRequest[] {
  return jobs.map(({ jobType, payload, key, delayMs }) => ({
    jobType,
    connectionId,
    payload,
    idempotencyKey: keyOf(connectionId, jobType, key),
    delayMs,
    requestId
  }))
}

function keyOf (connectionId: string, jobType: string, key: string): string {
  return `adapter:${connectionId}:${jobType}:${key}`
}

/** The figures, log lines and requests of one adapter version: they carry its name. */
export interface Telemetry extends Pick<HostServices, 'count' | 'observe' | 'upstream' | 'admitRequest'> {
  log: Log
}

export function createHostServices (
  kept: StateServices & PlatformServices & Pick<HostServices, 'callCapability'>,
  { log, ...telemetry }: Telemetry
): HostServices {
  return {
    ...kept,
    ...telemetry,
    log (level, fields, message) {
      log[level](fields, message)
    }
  }
}
