import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { readConfig, type AdapterEntry, type Config } from '../../config.ts'
import { secretNamesOf } from '../../webhooks/secrets.ts'

export interface HubSettingsOptions {
  environment: NodeJS.ProcessEnv
  /** The folder of the adapter; a linker.config.json in it counts, except for its adapters. */
  directory: string
  workingDirectory: string
  platformType: string
  port?: string | undefined
  /** Where the state is kept. Default: in memory. */
  dataDirectory?: string | undefined
  /** Packages or folders of more adapters. */
  more: readonly string[]
  /** `platforms.<platformType>` of the adapter. */
  platform?: Record<string, unknown> | undefined
}

/**
 * Variables that count for a trial. Those of servers, roles and files do not: the shell of an
 * author may have them for another hub, whose state a trial must not touch.
 */
const counting = ['PORT', 'ADMIN_TOKEN', 'LINKER_TRACE', 'LINKER_DOCS', 'LINKER_CONSOLE', 'LOG_LEVEL']
const secretPrefix = 'LINKER_WEBHOOK_SECRET__'

/** The settings of a hub for the trial of an adapter. */
export async function readHubSettings (options: HubSettingsOptions): Promise<Config> {
  const { environment, directory, workingDirectory, platformType, port, dataDirectory, more, platform } = options
  const counts = (name: string): boolean => counting.includes(name) || name.startsWith(secretPrefix)
  const passed = Object.fromEntries(Object.entries(environment).filter(([name]) => counts(name)))
  const config = readConfig({ ...passed, ...port === undefined ? {} : { PORT: port } }, directory)
  const { platforms = {} } = config.file
  return {
    ...config,
    port: port === undefined ? await freePort(config) : config.port,
    ...dataDirectory === undefined
      ? { isInMemory: true, backsUpBeforeUpgrade: false, adminToken: config.adminToken ?? newSecret() }
      : { dataDirectory: resolve(workingDirectory, dataDirectory) },
    webhookSecrets: withSecret(config.webhookSecrets, platformType),
    file: {
      ...config.file,
      adapters: more.map(given => entryOf(given, workingDirectory)),
      platforms: platform === undefined ? platforms : { ...platforms, [platformType]: platform }
    }
  }
}

/** The secret with which senders of the platform sign, whatever the connection. */
export function webhookSecretOf ({ webhookSecrets }: Pick<Config, 'webhookSecrets'>, platformType: string): string {
  return webhookSecrets.get(secretNameOf(platformType)) ?? ''
}

export function secretNameOf (platformType: string): string {
  const [, name] = secretNamesOf({ id: '', platformType })
  return name
}

function withSecret (secrets: ReadonlyMap<string, string>, platformType: string): ReadonlyMap<string, string> {
  const name = secretNameOf(platformType)
  return secrets.has(name) ? secrets : new Map([...secrets, [name, newSecret()]])
}

function newSecret (): string {
  return randomBytes(32).toString('base64url')
}

/** A folder, if it looks like one or is there; else a package of the author's project. */
function entryOf (given: string, workingDirectory: string): AdapterEntry {
  const path = resolve(workingDirectory, given)
  const isFolder = /^\.{0,2}[\\/]/.test(given) || isAbsolute(given) || existsSync(path)
  return isFolder ? { path, isolation: 'worker' } : { use: given, isolation: 'worker' }
}

/** The port of the settings or, when another server has it, 0: the system then chooses one. */
async function freePort ({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
  } catch {
    return 0
  }
  await once(server.close(), 'close')
  return port
}
