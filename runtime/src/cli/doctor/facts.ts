import { request } from 'undici'
import { stateOf, type LoadedAdapter } from '../../adapters/load.ts'
import { createRegistry } from '../../adapters/registry.ts'
import { scanAdapters } from '../../adapters/scan.ts'
import { readDefaults } from '../../adapters/store.ts'
import { webhookProofName } from '../../adapters/view.ts'
import { findForgottenState } from '../../backup/forgotten-state.ts'
import type { Config } from '../../config.ts'
import { keptOf } from '../../connections/adapter-for.ts'
import { readPauses } from '../../connections/pauses/store.ts'
import { listSummaries } from '../../connections/store.ts'
import { heldKeyIds, missingKeyIds } from '../../credentials/key-ids.ts'
import { findWrongKeys } from '../../credentials/rewrap/wrong-keys.ts'
import { readKeyIds } from '../../credentials/store.ts'
import type { Query } from '../../database/database.ts'
import { hasTables } from '../../database/has-tables.ts'
import type { EventJob } from '../../diagnostics/facts.ts'
import { eventJobTypes } from '../../events/event-to-job.ts'
import { withMappedTopics } from '../../events/unmapped-topics.ts'
import { adapterHasJob } from '../../handlers/has-job.ts'
import { modeOf } from '../../mode-of.ts'
import { packageJson } from '../../package-folder.ts'
import { schedulesOf, type ScheduleSources } from '../../schedules/plan.ts'
import type { ScheduleView } from '../../schedules/schemas.ts'
import { readSettings as readScheduleSettings } from '../../schedules/store.ts'
import type { System } from '../../system/schemas.ts'
import { listValidSecrets } from '../../webhooks/store.ts'
import { createHubClient, hubAddress, HubError, type HubClient, type HubOptions } from '../hub-client.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'
import type { OpenedDatabase } from './servers.ts'
import type { AdapterFact, ConnectionFact } from './state.ts'

export interface Hub {
  findings: Finding[]
  /** Absent when no hub answers. */
  client?: HubClient
  adapters?: AdapterFact[]
  /** The settings of the running hub. The next start may use others. */
  system?: OwnSettings
}

/**
 * Asks the hub of this project, which may run or not. `LINKER_URL` may name the hub of another
 * project.
 */
export async function askHub (config: Config, options: HubOptions, workingDirectory: string): Promise<Hub> {
  const hub = await ask(config, options, workingDirectory)
  return { ...hub, findings: [...checkIgnoredAddress(config, options), ...hub.findings] }
}

/** Other commands ask the hub at `LINKER_URL`, so people expect it of the doctor, too. */
function checkIgnoredAddress ({ clientUrl }: Config, { url }: HubOptions): Finding[] {
  if (clientUrl === undefined || url !== undefined) return []
  return [
    warning(
      'hub',
      'LINKER_URL is ignored: the doctor examines the settings of this folder and their hub',
      'pass --url to ask the hub at that address, or call the doctor where that hub runs'
    )
  ]
}

async function ask (config: Config, options: HubOptions, workingDirectory: string): Promise<Hub> {
  let url: string
  try {
    url = hubAddress({ host: config.host, port: config.port }, options.url)
  } catch (error) {
    return { findings: [failed('hub', messageOf(error), 'correct the named value')] }
  }
  const readiness = await readReadiness(url)
  if (readiness === undefined) return { findings: [ok('hub', `no hub answers at ${url}`)] }
  if ('fault' in readiness) return { findings: [describeStranger(url, readiness.fault, options)] }
  const { status, checks = [] } = readiness
  const reasons = checks.flatMap(check => check.message ?? []).join('; ')
  const answers = status === 'ok'
    ? ok('hub', `answers at ${url}`)
    : warning('hub', `${url} is ${status}: ${reasons}`, 'see the lines about the database and Redis')
  // A worker has no API. The database says what it can.
  if (options.url === undefined && config.role === 'worker') {
    return { findings: [status === 'ok' ? ok('hub', `a process of the hub answers at ${url}`) : answers] }
  }
  try {
    const client = await createHubClient(process.env, workingDirectory, { ...options, url })
    const told = await readSettings(client).catch((error: unknown) => {
      // A hub whose database is away can say that it is away, and not much else.
      if (status !== 'failed') throw error
      return undefined
    })
    if (told === undefined) return { client, findings: [answers] }
    return { client, ...told, findings: [answers, ...compareSettings(config, told.system)] }
  } catch (error) {
    if (error instanceof HubError && error.notAsked === 'unreachable') {
      return { findings: [ok('hub', `no hub answers at ${url}`)] }
    }
    return {
      findings: [
        failed('hub', `${url}: ${messageOf(error)}`, 'pass --url and --token, or correct HOST, PORT and ADMIN_TOKEN')
      ]
    }
  }
}

/** The next start would listen where another server does, and cannot. */
function describeStranger (url: string, fault: string, { url: given }: HubOptions): Finding {
  const message = `the server at ${url} is not a hub: ${fault}`
  return given === undefined
    ? failed('hub', `${message}. The next start cannot listen at this port`, 'stop that server, or set another PORT')
    : failed('hub', message, 'correct --url')
}

/** The settings of a running hub that the next start must share. */
export type OwnSettings = Pick<
  System,
  'mode' | 'dataDirectory' | 'configurationFile' | 'credentialKeys' | 'publicUrl' | 'version' | 'processes'
>

async function readSettings (client: HubClient): Promise<{ adapters: AdapterFact[], system: OwnSettings }> {
  return {
    adapters: await client.call('GET', '/adapters') as AdapterFact[],
    system: await client.call('GET', '/system') as OwnSettings
  }
}

interface Readiness {
  status: string
  checks?: { name: string, status: string, message?: string }[]
}

/** A hub answers in milliseconds; another server may never answer. */
const longestAnswerMs = 5_000
/** No server listens there, or none can be reached. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT'
])

/**
 * Asks whether the server at an address is a hub; undefined when there is no server. A hub that is
 * not ready answers 503 with the reasons that the operator wants to know.
 */
async function readReadiness (url: string): Promise<Readiness | { fault: string } | undefined> {
  try {
    const { statusCode, body } = await request(`${url}/readyz`, {
      headersTimeout: longestAnswerMs,
      bodyTimeout: longestAnswerMs
    })
    const answer: unknown = await body.json().catch(() => undefined)
    return isReadiness(answer) ? answer : { fault: `it answers ${statusCode} to GET /readyz, without a state` }
  } catch (error) {
    const isAway = error instanceof Error && 'code' in error && unreachable.has(error.code)
    // Any other failure shows that a server took the connection.
    return isAway ? undefined : { fault: messageOf(error) }
  }
}

function isReadiness (answer: unknown): answer is Readiness {
  return typeof answer === 'object' && answer !== null && 'status' in answer && typeof answer.status === 'string'
}

/**
 * Names the settings in which the next start from this shell would differ from the running hub.
 */
function compareSettings (
  config: Config,
  { mode, dataDirectory, configurationFile, publicUrl, version }: OwnSettings
): Finding[] {
  const differences: [what: string, running: string, next: string, variable: string][] = [
    ['stores its state in mode', mode, modeOf(config), 'DATABASE_URL and REDIS_URL'],
    ['uses the data directory', dataDirectory, config.dataDirectory, 'LINKER_DATA_DIR'],
    ['uses the configuration', configurationFile, config.filePath, 'LINKER_CONFIG'],
    ['has the public address', publicUrl ?? 'none', config.publicUrl ?? 'none', 'LINKER_PUBLIC_URL']
  ]
  const isOther = version !== packageJson.version
  return [
    ...isOther ? [ok('hub', `the running hub is ${version}; the next start from here is ${packageJson.version}`)] : [],
    ...differences.filter(([, running, next]) => running !== next).map(([what, running, next, variable]) =>
      warning(
        'hub',
        `the running hub ${what} ${running}; the next start from here would use ${next}`,
        `set ${variable} as for the running hub`
      )
    )
  ]
}

export interface Scan {
  adapters: AdapterFact[]
  schedules: ScheduleSources
}

/**
 * Returns the keys that served their platforms first, as the next start finds them. A running hub
 * that holds the embedded database tells its defaults instead.
 */
export async function readKeptDefaults (
  { adapters = [] }: Pick<Hub, 'adapters'>,
  { query }: Pick<OpenedDatabase, 'query'>
): Promise<ReadonlyMap<string, string>> {
  if (query !== undefined) return await hasTables(query, ['platform_defaults']) ? readDefaults(query) : new Map()
  return new Map(adapters.flatMap(({ platformType, adapterKey, isDefault }) =>
    isDefault && platformType !== null && adapterKey !== null ? [[platformType, adapterKey]] : []
  ))
}

/** Loads the adapters as the next `start` would. */
export async function scanFacts (config: Config, kept: ReadonlyMap<string, string>): Promise<Scan> {
  const records = await scanAdapters(config)
  const registry = createRegistry(records, new Map(Object.entries(config.file.defaults ?? {})), kept)
  const adapters = records.map((record): AdapterFact => {
    const { adapterKey = null, platformType = null, deprecated } = record.found?.manifest ?? {}
    const { state, problem } = stateOf(record)
    const webhooks = record.adapter?.description.webhooks
    return {
      packageName: record.packageName,
      adapterKey,
      platformType,
      version: record.found?.version ?? null,
      state,
      isDefault: platformType !== null && registry.defaultKey(platformType) === adapterKey,
      webhooks: webhooks === undefined ? null : webhookProofName(webhooks),
      eventJobs: record.adapter === undefined ? [] : eventJobsOf(record.adapter),
      error: problem,
      deprecated
    }
  })
  return { adapters, schedules: { registry, defaults: config.file.schedules ?? {} } }
}

function eventJobsOf (adapter: LoadedAdapter): EventJob[] {
  const { platformType } = adapter.manifest
  const { webhookEvents, webhookRules } = keptOf(adapter)
  const types = eventJobTypes(
    platformType,
    withMappedTopics(webhookEvents ?? undefined, platformType, webhookRules?.source),
    jobType => adapterHasJob(adapter, jobType)
  )
  return [...types].map(([eventType, jobType]) => ({ eventType, jobType }))
}

/** Reads the connections from the hub, else from the database; undefined when neither has them. */
export async function readConnections (
  client: HubClient | undefined,
  { query }: OpenedDatabase,
  sources: ScheduleSources
): Promise<ConnectionFact[] | undefined> {
  if (client !== undefined) return askConnections(client)
  if (query === undefined || !await hasTables(query, ['connections', 'connection_schedules'])) return undefined
  return readStored(query, sources)
}

async function askConnections (client: HubClient): Promise<ConnectionFact[]> {
  const connections = await client.list('/connections') as Omit<ConnectionFact, 'schedules'>[]
  const schedules = Map.groupBy(await client.list('/schedules') as ScheduleView[], ({ connectionId }) => connectionId)
  return connections.map(connection => ({ ...connection, schedules: schedules.get(connection.id) ?? [] }))
}

async function readStored (query: Query, sources: ScheduleSources): Promise<ConnectionFact[]> {
  const summaries = await listSummaries(query)
  const settings = Map.groupBy(
    await readScheduleSettings(query, summaries.map(({ id }) => id)),
    ({ connectionId }) => connectionId
  )
  const withSecret = await hasTables(query, ['webhook_secrets'])
    ? new Set((await listValidSecrets(query, new Date())).map(({ connectionId }) => connectionId))
    : new Set<string>()
  const connections = summaries.map(connection => ({
    ...connection,
    hasStoredSecret: withSecret.has(connection.id),
    schedules: schedulesOf(
      sources,
      connection,
      new Map(settings.get(connection.id)?.map(setting => [setting.name, setting]))
    )
  }))
  if (!await hasTables(query, ['connection_pauses'])) return connections
  const found: ConnectionFact[] = []
  for (const connection of connections) {
    found.push({ ...connection, pauses: await readPauses(query, connection.id) })
  }
  return found
}

/** Finds stored credentials that the next start could not read. */
export async function checkStoredCredentials (
  { credentialsKey }: Config,
  { query }: OpenedDatabase,
  system: OwnSettings | undefined
): Promise<Finding[]> {
  try {
    const used = system?.credentialKeys ?? await storedKeyIds(query)
    const missing = missingKeyIds(used, credentialsKey).map(id =>
      failed(
        'credentials',
        `some are encrypted with key '${id}', which is missing in LINKER_CREDENTIALS_KEY${
          system === undefined ? '' : ' here. The running hub may have it: attention says whether it opens them'
        }`,
        'add that key to LINKER_CREDENTIALS_KEY'
      )
    )
    // Without a look at the stored ones, nothing tells whether an old key is needed.
    if (system === undefined && query === undefined) return missing
    const wrong = query === undefined || used.length === 0 ? [] : await findWrongKeys(query, credentialsKey)
    return [...missing, ...wrong.map(describeWrongKey), ...checkOldKeys(used, credentialsKey)]
  } catch (error) {
    return [
      failed(
        'credentials',
        `stored credentials could not be checked: ${messageOf(error)}`,
        'see the line about the database'
      )
    ]
  }
}

function describeWrongKey (id: string): Finding {
  return failed(
    'credentials',
    `LINKER_CREDENTIALS_KEY holds another key '${id}' than the one that some are encrypted with`,
    'put back the key that the hub had when they were stored'
  )
}

/** Says of each older key whether it can go. */
function checkOldKeys (used: readonly string[], credentialsKey: string | undefined): Finding[] {
  return heldKeyIds(credentialsKey).slice(1).map(id =>
    used.includes(id)
      ? warning(
        'credentials',
        `some are still encrypted with the older key '${id}' of LINKER_CREDENTIALS_KEY`,
        'linker credentials rewrap encrypts them with the newest key; the older one can go then'
      )
      : ok('credentials', `nothing is encrypted with the older key '${id}' any more: remove it`)
  )
}

/** Finds an embedded database that the next start would not use. */
export async function checkForgottenState (config: Config, { query }: OpenedDatabase): Promise<Finding[]> {
  const forgotten = query === undefined ? undefined : await findForgottenState(config, query)
  return forgotten === undefined
    ? []
    : [warning('database', forgotten, 'see "Back up, restore, move to PostgreSQL" in docs/state.md of @linker/runtime')]
}

async function storedKeyIds (query: OpenedDatabase['query']): Promise<string[]> {
  if (query === undefined) return []
  return await hasTables(query, ['flows']) ? readKeyIds(query) : []
}
