import { type Adapter, type Log, type Manifest } from '@linker/sdk'
import {
  type CallEffects,
  type Carrier,
  compileSchema,
  createAddressPolicy,
  createCurrentCall,
  createHttpClientFactory,
  createInlineCarrier,
  describeAdapter,
  type HostServices
} from '@linker/sdk/host'
import {
  otherManifest,
  probe,
  probeEntry,
  probeManifest,
  type HostUnderTest,
  type TestLogLine
} from '@linker/sdk/testing'
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { createCapabilityCalls } from '../../src/adapters/capability-calls.ts'
import { createWorkerCarrier } from '../../src/adapters/isolation/worker-carrier.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { createHostServices, createStateServices, jobRequestsOf } from '../../src/adapters/services.ts'
import { storeCursors } from '../../src/adapters/store.ts'
import { createConnectionServices } from '../../src/connections/adapter-connections.ts'
import { createConnections, type Connections } from '../../src/connections/connections.ts'
import { openCalled } from '../../src/connections/invocation/open-called.ts'
import { createCredentials } from '../../src/credentials/credentials.ts'
import { createFlowServices } from '../../src/credentials/oauth-flows.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { withRefused } from '../../src/jobs/refused-credentials.ts'
import { noAccounts } from '../connections/support.ts'
import type { Jobs } from '../jobs/support.ts'

export type Isolation = 'inline' | 'worker'

export interface ServicesDriver extends HostUnderTest {
  carrier: Carrier
  connections: Connections
}

const version = '1.0.0'
const credentialsKey = `test:${Buffer.alloc(32).toString('base64')}`
const adapterOf = ({ adapterKey }: Manifest): string => `${adapterKey}@${version}`
const erased: unknown = probe
const definition = erased as Adapter

/**
 * Opens the probe on the services of the runtime, and calls it like the hub outside of a job.
 * Closes the driver at the end of its test.
 */
export function openDriver (t: Test, { database, enqueueJobs }: Jobs, isolation: Isolation): ServicesDriver {
  const { query } = database
  const telemetry = recordTelemetry()
  const now = (): Date => new Date()
  const connections: Connections = createConnections({
    ...noAccounts,
    database,
    credentials: createCredentials({ credentialsKey }, now),
    registry: registryOf(),
    now,
    onChanged: async () => undefined
  })
  const state = createStateServices({
    database,
    readCredentials: connectionId => connections.readCredentials(connectionId),
    renewCredentials: (connectionId, value, replaces) => connections.renewCredentials(connectionId, value, replaces),
    refuseRefresh: (connectionId, refusal) => connections.refuseRefresh(connectionId, refusal)
  })
  const capabilityCalls = createCapabilityCalls({
    openCalled: (...args) => openCalled(connections, ...args),
    async call (adapter, connection, target, args, { keep, ...options }) {
      const traceId = randomUUID()
      const called = capabilityCalls.begin(traceId, { adapter, connection, ...options })
      try {
        const { value, effects } = await carrier.call({ connection, target, args, ...options, traceId })
          .catch((error: unknown) => {
            throw withRefused(error, connection)
          })
        for (const kept of [...called.kept, { connectionId: connection.id, effects }]) {
          keep?.(kept.effects, kept.connectionId)
        }
        return value
      } finally {
        called.end()
      }
    }
  })
  const open = (manifest: Manifest): Carrier =>
    (isolation === 'inline' ? openInline : openWorker)(
      t,
      manifest,
      createHostServices({
        ...state,
        callCapability: request => capabilityCalls.answer(adapterOf(manifest), request),
        ...createFlowServices({
          database,
          sealing: createSealing({ credentialsKey }),
          platformType: manifest.platformType
        }),
        ...createConnectionServices({
          connections: () => connections,
          adapter: { manifest, version },
          query: database.query,
          onFailure: () => undefined
        })
      }, telemetry)
    )
  const carrier = open(probeManifest)
  const carriers = { probe: carrier, other: open(otherManifest) }

  async function storeEffects (connectionId: string, effects: CallEffects): Promise<void> {
    await database.transaction(async transaction => {
      await storeCursors(transaction.query, connectionId, effects.cursors)
      await enqueueJobs(jobRequestsOf(connectionId, effects.jobs, undefined), transaction)
    })
  }

  return {
    carrier,
    connections,
    async open (credentials, config = {}) {
      const { connection } = await connections.create({
        platformType: probeManifest.platformType,
        name: 'probe',
        config: { ...config },
        credentials: { ...credentials }
      }, randomUUID())
      return connection.id
    },
    async call (connectionId, call) {
      const { snapshot, adapter } = await connections.open(connectionId)
      const traceId = randomUUID()
      const called = capabilityCalls.begin(traceId, {
        adapter,
        connection: snapshot,
        signal: call.signal,
        deadline: call.deadline
      })
      try {
        const { value, effects } = await carrier.call({ ...call, connection: snapshot, traceId })
        for (const kept of [...called.kept, { connectionId, effects }]) {
          await storeEffects(kept.connectionId, kept.effects)
        }
        return value
      } finally {
        called.end()
      }
    },
    callRoute: async (call, platformType) => (await carriers[platformType].call(call)).value,
    async setStatus (connectionId, status) {
      await connections.patch(connectionId, { status })
    },
    credentials: async connectionId => (await connections.readCredentials(connectionId)).value,
    async setCredentials (connectionId, credentials) {
      await connections.replaceCredentials(connectionId, credentials)
    },
    jobs: connectionId =>
      query(
        `
      select id, job_type as "jobType", payload,
        round(extract(epoch from due_at - created_at) * 1000)::integer as "delayMs"
      from jobs where connection_id = $1 order by created_at, id`,
        [connectionId]
      ),
    async pass (ms) {
      await query("update connection_values set expires_at = expires_at - interval '1 millisecond' * $1", [ms])
      await query("update flows set expires_at = expires_at - interval '1 millisecond' * $1", [ms])
      await query("update connection_locks set lapses_at = lapses_at - interval '1 millisecond' * $1", [ms])
    },
    now,
    logs: telemetry.lines,
    count: name => telemetry.counts.get(name) ?? 0,
    observations: name => telemetry.observations.get(name) ?? []
  }
}

function openInline (t: Test, manifest: Manifest, services: HostServices): Carrier {
  const currentCall = createCurrentCall()
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: [] }),
    currentCall: () => currentCall.getStore()?.call
  })
  t.teardown(close)
  return createInlineCarrier({
    adapter: adapterOf(manifest),
    definition,
    manifest,
    services,
    http,
    platformSettings: {},
    now: () => new Date(),
    currentCall
  })
}

function openWorker (t: Test, manifest: Manifest, services: HostServices): Carrier {
  const carrier = createWorkerCarrier({
    data: { adapter: adapterOf(manifest), entry: probeEntry, manifest, platformSettings: {}, outboundAllow: [] },
    services
  })
  t.teardown(() => carrier.close())
  return carrier
}

function registryOf () {
  const description = describeAdapter(probe)
  const unused: Carrier = {
    call: async () => {
      throw new Error('this carrier is not called')
    },
    forget: () => undefined
  }
  const carrier = {
    ...unused,
    isolation: () => 'inline' as const,
    health: () => ({ state: 'ready' as const }),
    moveToWorker: () => undefined,
    redact: (value: unknown) => value,
    close: async () => undefined
  }
  const records = [probeManifest, otherManifest].map(manifest => {
    const packageName = manifest.platformType
    const found = {
      packageName,
      selfName: packageName,
      isLocal: false,
      isolation: 'inline' as const,
      directory: '',
      version,
      manifest
    }
    const adapter = {
      ...found,
      description,
      validateConfig: compileSchema(description.config),
      validateCredentials: compileSchema(description.credentials),
      supportedCapabilities: manifest.capabilities,
      carrier
    }
    return { packageName, isRequired: false, found, adapter }
  })
  return createRegistry(records, new Map())
}

function recordTelemetry () {
  const lines: TestLogLine[] = []
  const counts = new Map<string, number>()
  const observations = new Map<string, number[]>()
  const level = (name: keyof Log) => (fields: object, message: string): void => {
    lines.push({ level: name, fields, message })
  }
  const log: Log = { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
  return {
    lines,
    counts,
    observations,
    log,
    count (name: string, by: number) {
      counts.set(name, (counts.get(name) ?? 0) + by)
    },
    observe (name: string, value: number) {
      observations.set(name, [...observations.get(name) ?? [], value])
    },
    upstream: () => undefined,
    admitRequest: async () => undefined
  }
}
