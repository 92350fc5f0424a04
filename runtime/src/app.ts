import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import accessRoutes from './access/routes.ts'
import sessionRoutes from './access/session-routes.ts'
import tokens from './access/tokens.ts'
import adapterRoutes from './adapter-routes/adapter-routes.ts'
import adapterListRoutes from './adapter-routes/list-routes.ts'
import adapters, { type AdaptersOptions } from './adapters/adapters.ts'
import alerts from './alerts/plugin.ts'
import alertRoutes from './alerts/routes.ts'
import { readExamples } from './api-examples/read-examples.ts'
import attention from './attention/attention.ts'
import attentionRoutes from './attention/routes.ts'
import audit, { auditDays } from './audit/recorder.ts'
import auditRoutes from './audit/routes.ts'
import { backUpBeforeUpgrade } from './backup/before-upgrade.ts'
import { findForgottenState } from './backup/forgotten-state.ts'
import backupRoutes from './backup/routes.ts'
import catalogRoutes from './catalog/routes.ts'
import type { Config } from './config.ts'
import webhookConnections from './connections/connection-cache-plugin.ts'
import connections from './connections/connections.ts'
import deletions from './connections/deletion/deletion.ts'
import moves from './connections/moves/moves.ts'
import connectionRoutes from './connections/routes.ts'
import consoleRoutes from './console/routes.ts'
import credentials from './credentials/credentials.ts'
import rewrapRoutes from './credentials/rewrap/routes.ts'
import { openDatabase } from './database/database.ts'
import database from './database/plugin.ts'
import diagnosticsRoutes from './diagnostics/routes.ts'
import { entities } from './entities.ts'
import events from './events/plugin.ts'
import figures from './figures/plugin.ts'
import figureRoutes from './figures/routes.ts'
import routingRoutes from './fulfilment/routes.ts'
import shipmentRoutes from './fulfilment/shipment-routes.ts'
import { handDown } from './hand-down.ts'
import handlers from './handlers/plugin.ts'
import runJobRoutes from './handlers/routes.ts'
import hints from './hints/hints.ts'
import hintRoutes from './hints/routes.ts'
import accessLog from './http/access-log.ts'
import type { OwnTokens } from './http/admin-token.ts'
import authentication from './http/authentication.ts'
import idempotency from './http/idempotency.ts'
import jsonBody from './http/json-body.ts'
import openapi from './http/openapi.ts'
import problemJson from './http/problem-json.ts'
import responseHeaders from './http/response-headers.ts'
import { mostSockets, serverOptions } from './http/server-options.ts'
import storableTexts from './http/storable-texts.ts'
import versionPrefix from './http/version-prefix.ts'
import jobs from './jobs/plugin.ts'
import redrives from './jobs/redrive/plugin.ts'
import jobRoutes from './jobs/routes.ts'
import { modeOf, refusePartialRole } from './mode-of.ts'
import health from './observability/health.ts'
import metrics from './observability/metrics.ts'
import { watchStart } from './observability/start-steps.ts'
import explanationRoutes from './offers/explanation/routes.ts'
import oldLinks from './offers/former/old-links.ts'
import listings from './offers/listing/listings.ts'
import oldBatches from './offers/listing/old-batches.ts'
import listingRoutes from './offers/listing/routes.ts'
import marketplaceOfferRoutes from './offers/marketplace/routes.ts'
import offers from './offers/offers.ts'
import reconcileRoutes from './offers/reconcile/routes.ts'
import offerRoutes from './offers/routes.ts'
import { remapJobs } from './orders/lines/remap-jobs.ts'
import personalData from './orders/personal-data/plugin.ts'
import orderRetention from './orders/retention/plugin.ts'
import orderRoutes from './orders/routes.ts'
import { packageJson } from './package-folder.ts'
import schedules from './schedules/plugin.ts'
import scheduleRoutes from './schedules/routes.ts'
import searchRoutes from './search/routes.ts'
import stockRoutes from './stock/routes.ts'
import streams from './streams/plugin.ts'
import processes from './system/processes.ts'
import systemRoutes from './system/routes.ts'
import upstream from './upstream/plugin.ts'
import deliveryRoutes from './webhooks/deliveries/routes.ts'
import webhookInstallRoutes from './webhooks/install-routes.ts'
import webhookInstalls from './webhooks/installs.ts'
import webhookRefusals from './webhooks/refusals/refusals.ts'
import refusalRoutes from './webhooks/refusals/routes.ts'
import webhookRoutes from './webhooks/routes.ts'

export interface AppOptions {
  config: Config
  /** The hub's own token, or a function that returns those that are valid now. */
  adminToken: string | OwnTokens
  loggerInstance: FastifyBaseLogger
  now?: () => Date
  /**
   * Called when the hub broke off code of an inline adapter, because code of the hub may be lost
   * with it: the process should start anew. Default: nothing.
   */
  onBroken?: (adapter: string, reason: string) => void
  onBlameable?: AdaptersOptions['onBlameable']
  /** Spreads repeats over time. Returns 0 to 1, like `Math.random`. */
  random?: () => number
  /** Called with what the hub does next while it starts, for a person who waits. */
  onStep?: (step: string) => void
  /** How long the process loaded the hub before it called this function. */
  loadingMs?: number
}

/**
 * Builds the hub, in boot order. Plugins close in reverse order, so the database outlives
 * everything that writes to it.
 */
export async function buildApp ({
  config,
  adminToken,
  loggerInstance,
  now = () => new Date(),
  random = Math.random,
  onBlameable,
  onBroken = () => undefined,
  onStep = () => undefined,
  loadingMs
}: AppOptions): Promise<FastifyInstance> {
  const start = watchStart(onStep, loadingMs)
  refusePartialRole(config, loggerInstance)
  const app = Fastify({
    ...serverOptions,
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxConnections = mostSockets
  const servesHttp = config.role !== 'worker'
  try {
    const below = handDown(app, config)
    const { version } = packageJson
    await app.register(problemJson)
    await app.register(responseHeaders)
    await app.register(accessLog)
    // Reads the cookies of those requests only that carry no token.
    await app.register(cookie, { hook: false })
    await app.register(authentication, {
      publicUrl: config.publicUrl,
      ownTokens: typeof adminToken === 'string' ? () => [adminToken] : adminToken,
      ...below.authentication
    })
    await app.register(storableTexts)
    await app.register(jsonBody)
    await app.register(openapi, { version, docs: config.docs, more: below.description, examples: readExamples })
    await app.register(metrics, below.metrics)

    start.begin('opening the database')
    const beforeChange = backUpBeforeUpgrade({
      config,
      now,
      onWritten (file) {
        app.log.warn({ file }, 'the database was of an older version; this backup of it is the way back')
      }
    })
    await app.register(database, { database: await openDatabase({ ...config, beforeChange }, app.log, entities) })
    const forgotten = await findForgottenState(config, (text, values) => app.database.query(text, values))
    if (forgotten !== undefined) app.log.warn({ dataDirectory: config.dataDirectory }, forgotten)
    await app.register(tokens, { now })
    await app.register(audit, { now })
    await app.register(figures, { now, ...below.figures })
    await app.register(processes, {
      role: config.role,
      mode: modeOf(config),
      // An embedded hub has one process only, so no worker can run beside it.
      needsWorker: config.role === 'http' && modeOf(config) !== 'embedded',
      version,
      now,
      ...below.processes
    })
    await app.register(streams, { config })
    await app.register(upstream, { now })
    start.begin('loading the adapters')
    await app.register(adapters, { config, now, onBroken, onBlameable, ...below.adapters })
    await app.register(credentials, { config, now })
    await app.register(webhookConnections, { now })
    await app.register(connections, {
      now,
      takeOver: below.takeOver,
      onSalesRule: below.onSalesRule,
      onChanged: below.onConnectionChanged
    })
    await app.register(moves, { now, eventJobsOf: below.eventJobsOf })
    await app.register(deletions, { now, belongings: below.belongings, onChanged: below.onConnectionChanged })
    await app.register(jobs, below.jobs)
    await app.register(redrives, { ...below.jobs, isWorker: config.role !== 'http' })
    if (config.role !== 'http') await app.register(handlers, { config, now, random })
    await app.register(schedules, { config, now, random })
    await app.register(offers, { now, waitingOrderJobs: remapJobs })
    await app.register(listings, { now })
    await app.register(oldBatches, { config })
    await app.register(oldLinks)
    await app.register(personalData, { config, ...below.orders })
    await app.register(orderRetention, { config })
    if (config.role !== 'http') await app.register(events, { config, now, random, hasJob: below.hasJob })

    await app.register(attention, { config, now, ...below.attention })
    await app.register(alerts, { config, now })

    start.begin('opening the routes and starting the jobs')
    await app.register(health)
    if (servesHttp) {
      await app.register(idempotency, { now })
      await app.register(versionPrefix)
      await app.register(webhookRefusals, { now })
      for (const { adapter } of app.adapters.registry.records) adapter?.proofs?.warm()
      await app.register(webhookRoutes, {
        config,
        now,
        hasJob: below.hasJob,
        isGenuine: below.isGenuine,
        onOutcome (provider, outcome, connectionId) {
          app.metrics.webhook(provider, outcome)
          // The refusals count those that were refused.
          if (outcome === 'accepted') app.figures.count(connectionId.toLowerCase(), 'webhooksAccepted')
          else if (outcome === 'duplicate') app.figures.count(connectionId.toLowerCase(), 'webhooksRepeated')
        },
        onRefused: app.webhookRefusals.record
      })
      await app.register(webhookInstalls, { config, now })
      await app.register(webhookInstallRoutes)
      await app.register(refusalRoutes)
      await app.register(deliveryRoutes, { config, now, hasJob: below.hasJob })
      await app.register(accessRoutes)
      await app.register(sessionRoutes, { publicUrl: config.publicUrl, isProduction: config.isProduction })
      await app.register(auditRoutes)
      await app.register(rewrapRoutes, below.rewrap)
      await app.register(connectionRoutes)
      await app.register(systemRoutes, {
        config,
        version,
        adapterStates: below.metrics.adapterStates,
        readKeyIds: below.readKeyIds,
        startSteps: start.steps,
        auditDays
      })
      await app.register(adapterListRoutes)
      await app.register(adapterRoutes, { now })
      await app.register(catalogRoutes)
      await app.register(stockRoutes)
      await app.register(offerRoutes)
      await app.register(explanationRoutes, below.explanation)
      await app.register(marketplaceOfferRoutes, { waitingOrderJobs: remapJobs })
      await app.register(reconcileRoutes)
      await app.register(listingRoutes)
      await app.register(orderRoutes, below.orders)
      await app.register(routingRoutes)
      await app.register(shipmentRoutes)
      await app.register(jobRoutes)
      await app.register(runJobRoutes)
      await app.register(scheduleRoutes)
      await app.register(diagnosticsRoutes, {
        now,
        keptDays: config.webhookKeptDays,
        publicUrl: config.publicUrl,
        ...below.diagnostics
      })
      await app.register(figureRoutes, { now, requireConnection: app.connections.get })
      await app.register(searchRoutes)
      await app.register(attentionRoutes)
      await app.register(alertRoutes)
      await app.register(hints)
      await app.register(hintRoutes)
      await app.register(backupRoutes, { config, now })
      if (config.console) await app.register(consoleRoutes)
    }
    await app.ready()
    start.end()
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}
