import { existsSync } from 'node:fs'
import { readConfig, type Config } from '../../config.ts'
import type { Progress } from '../../terminal/progress.ts'
import type { HubOptions } from '../hub-client.ts'
import { checkAttention, checkStoredAttention } from './attention.ts'
import {
  askHub,
  checkForgottenState,
  checkStoredCredentials,
  readConnections,
  readKeptDefaults,
  scanFacts,
  type Hub
} from './facts.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'
import { checkSameDatabase, checkSchema } from './schema.ts'
import { checkRedis, openToRead, type OpenedDatabase } from './servers.ts'
import { checkSettings } from './settings.ts'
import { checkAdapters, checkConnections, compareAdapters } from './state.ts'

/** Checks what the next start would use, and what a running hub says. */
export async function examine (options: HubOptions, progress: Progress = () => undefined): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(process.env, process.cwd())
  } catch (error) {
    return [failed('configuration', messageOf(error), 'correct the named value')]
  }
  progress('checking the settings, the database and Redis')
  // Check both servers in any case: one server that is away says nothing about the other.
  const [settings, redis, database] = await Promise.all([checkSettings(config), checkRedis(config), openToRead(config)])
  try {
    return [
      describeFile(config),
      ...settings,
      ...database.findings,
      ...await checkSchema(config, database),
      ...await checkForgottenState(config, database),
      ...redis,
      ...await examineState({ config, options, database, progress })
    ]
  } finally {
    await database.close()
  }
}

function describeFile ({ filePath }: Config): Finding {
  return ok(
    'configuration',
    existsSync(filePath)
      ? filePath
      : `${filePath} does not exist: the hub uses defaults and the adapters among the dependencies`
  )
}

interface Examination {
  config: Config
  options: HubOptions
  database: OpenedDatabase
  progress: Progress
}

async function examineState ({ config, options, database, progress }: Examination): Promise<Finding[]> {
  progress('asking the hub')
  const hub = await askHub(config, options, process.cwd())
  const isHidden = hub.client === undefined && database.holder !== undefined
  const hidden = warning(
    'hub',
    `process ${database.holder} uses the embedded database, but no hub answers here: connections and jobs were not ` +
      'checked',
    'pass --url and --token of that hub, or stop that process'
  )
  try {
    progress('loading the adapters')
    const { adapters, schedules } = await scanFacts(config, await readKeptDefaults(hub, database))
    progress('reading connections and jobs')
    const connections = await readConnections(hub.client, database, schedules)
    const attention = await examineAttention(config, hub, database)
    return [
      ...hub.findings.filter(({ mark }) => mark !== 'ok' || !isHidden),
      ...(isHidden ? [hidden] : []),
      ...hub.system === undefined ? [] : await checkSameDatabase(hub.system, config, database),
      ...await checkStoredCredentials(config, database, hub.system),
      ...checkAdapters(adapters, config.file.defaults ?? {}),
      ...(hub.adapters === undefined ? [] : compareAdapters(adapters, hub.adapters)),
      ...(connections === undefined ? [] : checkConnections(connections, adapters, config.webhookSecrets)),
      ...attention
    ]
  } catch (error) {
    return [...hub.findings, failed('state', messageOf(error), 'see the lines above')]
  }
}

async function examineAttention (config: Config, { client }: Hub, { query }: OpenedDatabase): Promise<Finding[]> {
  if (client !== undefined) return checkAttention(client)
  return query === undefined ? [] : checkStoredAttention(config, query, new Date())
}
