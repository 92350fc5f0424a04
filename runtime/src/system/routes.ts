import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Config } from '../config.ts'
import { freeBytesOf } from '../database/free-bytes.ts'
import { keptDays, minutesKeptHours } from '../figures/span.ts'
import { retention } from '../jobs/retention.ts'
import { modeOf } from '../mode-of.ts'
import { LogLevelBody, LogLevelView, System } from './schemas.ts'

export interface SystemOptions {
  config: Pick<
    Config,
    | 'databaseUrl'
    | 'redisUrl'
    | 'role'
    | 'filePath'
    | 'dataDirectory'
    | 'publicUrl'
    | 'credentialsKey'
    | 'isProduction'
    | 'console'
    | 'webhookKeptDays'
    | 'streamBytes'
    | 'personalDataDays'
    | 'batchesDays'
    | 'ordersDays'
  >
  version: string
  /** The adapters and the state that each is in. */
  adapterStates(): Iterable<readonly [adapter: string, state: string]>
  /** Ids of the keys that stored credentials and secrets are encrypted with. */
  readKeyIds(): Promise<string[]>
  /** How long the steps of the start took so far. */
  startSteps(): System['start']
  auditDays: number
}

/**
 * Tells what runs and with which settings. `linker doctor` compares the settings with those of
 * another shell.
 */
const routes: FastifyPluginAsyncTypebox<SystemOptions> = async (app, options) => {
  const { config, version, adapterStates, readKeyIds, startSteps, auditDays } = options
  const { processes } = app
  const tags = ['operation']
  app.addSchema(System)
  app.addSchema(LogLevelView)

  app.get('/system', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'readSystem',
      summary: 'Read what runs in this hub, and its settings',
      description: 'Names the processes, adapters, steps of the start and settings, and no secret.',
      response: { 200: Type.Ref(System) }
    }
  }, async (): Promise<System> => ({
    version,
    node: process.version,
    mode: modeOf(config),
    role: config.role,
    configurationFile: config.filePath,
    dataDirectory: config.dataDirectory,
    // It need not exist when DATABASE_URL is set.
    freeBytes: await freeBytesOf(config.dataDirectory).catch(() => null),
    publicUrl: config.publicUrl ?? null,
    credentialKeys: await readKeyIds(),
    encryption: config.credentialsKey !== undefined,
    isProduction: config.isProduction,
    console: config.console,
    processes: await processes.list(),
    adapters: Array.from(adapterStates(), ([adapter, state]) => ({ adapter, state })),
    start: startSteps(),
    logLevel: await processes.logLevel(),
    retention: {
      webhookDays: config.webhookKeptDays,
      finishedJobDays: retention.finishedDays,
      deadJobDays: retention.deadDays,
      auditDays,
      personalDataDays: config.personalDataDays ?? null,
      batchDays: config.batchesDays ?? null,
      orderDays: config.ordersDays ?? null,
      figureMinuteHours: minutesKeptHours,
      figureDays: keptDays,
      streamBytes: config.streamBytes
    }
  }))

  const response = { 200: Type.Ref(LogLevelView) }

  app.put('/system/log-level', {
    config: { scope: 'admin' },
    schema: {
      tags,
      operationId: 'setLogLevel',
      summary: 'Make all processes log at a level for some minutes',
      description: 'Processes follow within 15 s. The usual level comes back by itself.',
      body: LogLevelBody,
      response
    }
  }, async request => processes.setLogLevel(request.body.level, request.body.minutes))

  app.delete('/system/log-level', {
    config: { scope: 'admin' },
    schema: {
      tags,
      operationId: 'resetLogLevel',
      summary: 'Make all processes log at LOG_LEVEL again',
      description: 'Changes nothing when they do already.',
      response
    }
  }, async () => processes.resetLogLevel())
}

export default routes
