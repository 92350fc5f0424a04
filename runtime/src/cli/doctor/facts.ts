import { stateOf } from '../../adapters/load.ts'
import { createRegistry } from '../../adapters/registry.ts'
import { scanAdapters } from '../../adapters/scan.ts'
import type { Config } from '../../config.ts'
import { createHubClient, hubAddress, HubError, type HubClient, type HubOptions } from '../hub-client.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'
import type { OpenedDatabase } from './servers.ts'
import type { AdapterFact, ConnectionFact, State } from './state.ts'

export interface Hub {
  findings: Finding[]
  /** Absent when none answers. */
  client?: HubClient
  adapters?: AdapterFact[]
}

const mostDeadJobs = 200

/** Asks the hub of this project, which may run or not. */
export async function askHub (config: Config, options: HubOptions, workingDirectory: string): Promise<Hub> {
  const url = hubAddress(config, options.url)
  try {
    const client = await createHubClient(process.env, workingDirectory, options)
    const adapters = await client.call('GET', '/adapters') as AdapterFact[]
    const { status, checks = [] } = await client.call('GET', '/readyz') as { status: string, checks?: { name: string, status: string, message?: string }[] }
    const reasons = checks.flatMap(check => check.message ?? []).join('; ')
    return { client, adapters, findings: [status === 'ok' ? ok('hub', `answers at ${url}`) : warning('hub', `${url} is ${status}: ${reasons}`, 'see the lines about its servers')] }
  } catch (error) {
    if (error instanceof HubError && (error.problem !== undefined || !/does not answer|^no token/.test(error.message))) {
      return { findings: [failed('hub', `${url}: ${error.message}`, 'pass --url and --token, or correct HOST, PORT and ADMIN_TOKEN')] }
    }
    return { findings: [ok('hub', `none answers at ${url}`)] }
  }
}

/** The adapters as `start` would load them, for a hub that does not run. */
export async function scanFacts (config: Config): Promise<AdapterFact[]> {
  const records = await scanAdapters(config)
  const registry = createRegistry(records, new Map(Object.entries(config.file.defaults ?? {})))
  return records.map(record => {
    const { adapterKey = null, platformType = null } = record.found?.manifest ?? {}
    const { state, problem } = stateOf(record)
    return {
      packageName: record.packageName,
      adapterKey,
      platformType,
      version: record.found?.version ?? null,
      state,
      isDefault: platformType !== null && registry.defaultKey(platformType) === adapterKey,
      webhooks: record.adapter?.description.webhooks?.scheme ?? null,
      error: problem
    }
  })
}

/** Connections and jobs, from the hub or from the database; undefined when there are none yet. */
export async function readState (client: HubClient | undefined, { query }: OpenedDatabase): Promise<State | undefined> {
  if (client !== undefined) {
    const dead = await client.call('GET', `/jobs?status=dead&limit=${mostDeadJobs}`) as unknown[]
    return { connections: await client.list('/connections?limit=200') as ConnectionFact[], deadJobs: dead.length, isDeadJobsCut: dead.length === mostDeadJobs }
  }
  if (query === undefined) return undefined
  const [tables] = await query<{ exist: boolean }>("select to_regclass('connections') is not null and to_regclass('jobs') is not null as exist")
  if (tables?.exist !== true) return undefined
  const [dead] = await query<{ count: number }>('select count(*)::integer as count from jobs where died_at is not null')
  return {
    connections: await query<ConnectionFact>(`
      select id, name, platform_type as "platformType", status, status_reason as "statusReason", adapter_key as "adapterKey", adapter_version as "adapterVersion"
      from connections order by created_at, id`),
    deadJobs: dead?.count ?? 0,
    isDeadJobsCut: false
  }
}

/** Stored credentials whose key is not there any more. */
export async function checkStoredCredentials ({ credentialsKey }: Config, { query }: OpenedDatabase): Promise<Finding[]> {
  if (query === undefined) return []
  const [tables] = await query<{ exist: boolean }>("select to_regclass('integration_credentials') is not null as exist")
  if (tables?.exist !== true) return []
  try {
    const rows = await query<{ kid: string | null }>("select distinct credentials_json ->> 'kid' as kid from integration_credentials where encrypted")
    const held = new Set((credentialsKey ?? '').split(',').map(entry => entry.slice(0, entry.indexOf(':')).trim()))
    return rows.filter(({ kid }) => !held.has(kid ?? '')).map(({ kid }) => failed('credentials', `some are encrypted with key '${kid ?? ''}', which LINKER_CREDENTIALS_KEY does not hold`, 'add that key to it'))
  } catch (error) {
    return [failed('credentials', `the stored ones could not be looked at: ${messageOf(error)}`, 'look at the line about the database')]
  }
}
