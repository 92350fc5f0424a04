import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Logger } from 'pino'
import { describeConsole } from './access/console-line.ts'
import { describeAdapters } from './adapters/describe-adapters.ts'
import { guardOutput, guardProcess } from './adapters/isolation/guard-process.ts'
import { driftCode } from './adapters/lock-drift.ts'
import { buildApp } from './app.ts'
import { refuseMoved } from './backup/moved-state.ts'
import { readConfig, type Config } from './config.ts'
import { httpAddress, ownAddress } from './config/own-address.ts'
import { followAdminToken, readOrCreateAdminToken, type AdminToken } from './http/admin-token.ts'
import { owner } from './http/authentication.ts'
import { createLogger } from './observability/logging.ts'
import { openTerminalLog } from './observability/terminal-log.ts'
import { print } from './terminal/print.ts'
import { createProgress, type Progress } from './terminal/progress.ts'

/**
 * How long a stopping hub still answers, so that a load balancer sees `/readyz` turn red before
 * connections are refused.
 */
const drainMs = 2_000
/**
 * How long it then waits for the answers to accepted requests. Without this limit, a connection
 * that never sends a whole request would hold the hub.
 */
const lastAnswersMs = 3_000
const stopTimeoutMs = 25_000
/**
 * How long a hub that starts anew waits for its plugins to close. They may wait for ever for code
 * that was broken off, and the hub serves nobody meanwhile.
 */
const startAnewMs = 2_000

export interface RunningHub {
  /** The address that the hub listens on. */
  url: string
  config: Config
  close(): Promise<void>
}

/**
 * Runs the hub in this process until a signal: reads the settings, listens, prints what was
 * started, stops gracefully and exits 0 within 25 s.
 */
export async function startServer (
  environment: NodeJS.ProcessEnv,
  workingDirectory: string,
  progress: Progress = createProgress(process.stdout)
): Promise<RunningHub> {
  const config = readConfig(environment, workingDirectory)
  const { url, app } = await runServer({ config, environment, progress })
  return { url, config, close: () => app.close() }
}

export interface ServerOptions {
  config: Config
  environment: NodeJS.ProcessEnv
  progress: Progress
  /** Prints what was started. Default: adapters, address and the place of the token. */
  announce?(hub: StartedHub): void
}

/** A hub that listens. */
export interface StartedHub {
  app: FastifyInstance
  url: string
  config: Config
  admin: AdminToken
  /** The line that leads to the console. Undefined: the process serves none. */
  consoleLine: string | undefined
}

/** Does the same with settings that were read before. */
export async function runServer ({ config, environment, progress, announce = announceStart }: ServerOptions): Promise<
  StartedHub
> {
  await refuseMoved(config)
  const logger = await openLogger(config, environment)
  const admin = await readOrCreateAdminToken(config)
  const running: { app?: FastifyInstance } = {}
  const stopBroken = (err: Error): void => {
    logger.fatal({ err }, 'the hub stops because of an unhandled error')
    endWithin(stopTimeoutMs, running.app).finally(() => {
      process.exit(1)
    })
  }
  running.app = await buildApp({
    config,
    adminToken: admin.path === undefined ? admin.token : followAdminToken(admin.path),
    loggerInstance: logger,
    onStep: progress,
    loadingMs: performance.now(),
    onBlameable (takeBlame, { isRunning, onPrinted }) {
      guardProcess(takeBlame, stopBroken)
      guardOutput(isRunning, onPrinted)
    },
    onBroken (adapter, reason) {
      startAnew({ adapter, reason, app: running.app, config, logger, environment })
    }
  })
  return listen({ app: running.app, config, admin }, logger, announce)
}

/** Writes for a person at a terminal, unless the hub is in production, and else JSON. */
async function openLogger (config: Config, environment: NodeJS.ProcessEnv): Promise<Logger> {
  if (!process.stderr.isTTY || config.isProduction) return createLogger(config)
  const isColoured = (environment.NO_COLOR ?? '') === ''
  return createLogger(config, await openTerminalLog({ isColoured }))
}

async function listen (
  hub: Omit<StartedHub, 'url' | 'consoleLine'>,
  logger: Logger,
  announce: (hub: StartedHub) => void
): Promise<StartedHub> {
  const { app, config } = hub
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    throw error
  }
  // Install the signal handlers before printing the address: a supervisor may stop the hub as soon
  // as it sees it.
  closeWithGrace(
    { delay: stopTimeoutMs, logger, skip: ['uncaughtException', 'unhandledRejection'] },
    async ({ signal }) => {
      logger.info({ signal }, 'the hub stops')
      app.readiness.turnRed()
      // Skip the wait after Ctrl-C: a person at a desk has no load balancer.
      if (signal === 'SIGTERM' || (signal !== undefined && config.isProduction)) await sleep(drainMs)
      await finishOpenRequests(app)
      await app.close()
      logger.info('the hub has stopped')
    }
  )
  const [address] = app.addresses()
  const port = typeof address === 'object' ? address.port : config.port
  const started = {
    ...hub,
    url: httpAddress(config.host, port),
    consoleLine: await describeConsole({
      ...config,
      hubUrl: ownAddress({ host: config.host, port }),
      // A container may write the output of its terminal to a log, where no code may be.
      isTerminal: process.stdout.isTTY && !config.isProduction,
      makeCode: () => app.tokens.createCode(hub.admin.token, owner),
      log: logger
    })
  }
  announce(started)
  return started
}

function announceStart ({ app, url, config, admin: { path }, consoleLine }: StartedHub): void {
  print([
    describeAdapters(app.adapters.registry.records),
    ...app.adapters.drift.map(({ message }) => `${driftCode}: ${message}`),
    '',
    `Linker listens on ${url}  (${describeState(config)}, role ${config.role})`,
    ...(consoleLine === undefined ? [] : [consoleLine]),
    `Token      ${path === undefined ? 'from ADMIN_TOKEN' : `in ${path}, or: npx linker token`}`,
    ...(config.docs ? [`API        ${url}/api/docs`] : [])
  ].join('\n'))
}

/**
 * Refuses new connections and waits for the requests under way. Call it before Fastify closes: a
 * closing Fastify answers 503 to new requests on open connections.
 */
async function finishOpenRequests ({ server }: FastifyInstance): Promise<void> {
  const closed = new Promise(resolve => {
    server.close(resolve)
  })
  await pTimeout(closed, { milliseconds: lastAnswersMs, message: false })
}

async function endWithin (milliseconds: number, app: FastifyInstance | undefined): Promise<void> {
  app?.readiness.turnRed()
  if (app !== undefined) await pTimeout(app.close(), { milliseconds, message: false })
}

/**
 * Replaces this process by one that runs the adapter in a thread, where the hub can end the adapter
 * alone. There are two reasons. The hub broke off an inline adapter that looped for ever:
 * everything else that waited in that turn of the event loop is lost, perhaps the loop of a
 * consumer. Or an adapter replaced a built-in that nobody can put back.
 */
function startAnew ({ adapter, reason, app, config, logger, environment }: {
  adapter: string,
  reason: string,
  app: FastifyInstance | undefined,
  config: Config,
  logger: Logger,
  environment: NodeJS.ProcessEnv
}): void {
  logger.fatal({ adapter }, `the hub restarts and runs ${adapter} in its own thread: ${reason}`)
  const isolated = { ...environment, LINKER_ISOLATE: [...config.isolate, adapter].join(',') }
  endWithin(startAnewMs, app).catch(() => undefined).finally(() => {
    if (typeof process.execve === 'function') {
      process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], isolated)
    }
    process.exit(1)
  })
}

export function describeState (config: Config): string {
  if (config.redisUrl !== undefined) return 'PostgreSQL and Redis'
  if (config.isInMemory === true) return 'database in memory'
  return config.databaseUrl === undefined ? `embedded database in ${config.dataDirectory}` : 'PostgreSQL'
}
