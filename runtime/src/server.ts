import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { describeAdapters } from './cli/adapters.ts'
import { readConfig, type Config } from './config.ts'
import { readOrCreateAdminToken } from './http/admin-token.ts'
import { createLogger } from './observability/logging.ts'

/** How long a stopping hub still answers, so that a load balancer sees `/readyz` turn red before connections are refused. */
const drainMs = 2_000
const stopTimeoutMs = 25_000

export interface RunningHub {
  /** Address it listens on. */
  url: string
  config: Config
  close (): Promise<void>
}

/** Runs the hub in this process until a signal: reads the settings, listens, prints what was started, stops gracefully and exits 0 within 25 s. */
export async function startServer (environment: NodeJS.ProcessEnv, workingDirectory: string): Promise<RunningHub> {
  const config = readConfig(environment, workingDirectory)
  const logger = createLogger(config)
  const admin = await readOrCreateAdminToken(config)
  const app = await buildApp({ config, adminToken: admin.token, loggerInstance: logger })
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    throw error
  }
  const [address] = app.addresses()
  const port = typeof address === 'object' ? address.port : config.port
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  console.log([
    describeAdapters(app.adapters.registry.records),
    '',
    `Linker listens on ${url}  (${describeState(config)}, role ${config.role})`,
    `Token      ${admin.path === undefined ? 'from ADMIN_TOKEN' : `in ${admin.path}, or: npx linker token`}`,
    ...(config.docs ? [`API        ${url}/api/docs`] : [])
  ].join('\n'))

  closeWithGrace({ delay: stopTimeoutMs, logger }, async ({ err, signal }) => {
    if (err !== undefined) logger.fatal({ err }, 'the hub stops because of an error nobody handled')
    app.readiness.turnRed()
    if (signal !== undefined && config.isProduction) await new Promise(resolve => { setTimeout(resolve, drainMs) })
    await app.close()
  })
  return { url, config, close: () => app.close() }
}

function describeState (config: Config): string {
  if (config.redisUrl !== undefined) return 'PostgreSQL and Redis'
  return config.databaseUrl === undefined ? `embedded database in ${config.dataDirectory}` : 'PostgreSQL'
}
