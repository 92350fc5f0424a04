import { buildApp, createLogger, readConfig, startLoopWatchdog, type ConfigFile, type Database } from '@linker/runtime'
import { signWebhook } from '@linker/sdk'
import {
  createClock,
  sampleProducts,
  startMktB,
  startShopA,
  type Clock,
  type MktB,
  type ShopA
} from '@linker/simulators'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createApi, eventually, type Answer, type ApiClient } from './api.ts'
import { watchLog } from './hub-logs.ts'
import { openMode, type Mode } from './modes.ts'
import { makeProject, type ForeignPackage } from './project.ts'
import { copyTemplate, keepPostgres } from './templates.ts'

export interface TestHubOptions {
  mode: Mode
  /** Third-party packages to install in the hub's project. */
  packages?: readonly ForeignPackage[]
  /** Installs more in the project before the hub starts. */
  install?: (projectDirectory: string) => Promise<unknown>
  /** More members of linker.config.json, beside those that lead to the simulators. */
  config?: ConfigFile
  /** Settings of more platforms, beside the simulated ones. */
  platforms?: NonNullable<ConfigFile['platforms']>
  /** Environment variables. */
  variables?: Record<string, string>
  /** Changes the variables that lead to PostgreSQL and Redis. */
  reroute?: (variables: Record<string, string>) => Promise<Record<string, string>>
  /** The hub's clock. */
  now?: () => Date
}

type RunOptions = Omit<TestHubOptions, 'mode' | 'packages' | 'install' | 'reroute' | 'platforms'>

export interface Job {
  id: string
  jobType: string
  connectionId: string | null
  objectKey: string
  idempotencyKey: string
  requestId: string | null
  status: string
  attempts: { startedAt: string, finishedAt: string, error?: { code: string, message: string } }[]
  result: unknown
  problem: { code: string, message: string } | null
  adapter: string | null
  coalescedInto: string | null
  finishedAt: string | null
}

export interface WebhookEvent {
  provider?: string
  eventType: string
  objectType: string
  externalId: string
  eventId?: string
  requestId?: string
  payload?: object
}

export interface TestHub {
  url: string
  mode: Mode
  directory: string
  keys: { admin: string, shop: string, market: string, webhook: string }
  shop: ShopA
  /**
   * The shop's clock. Advance it by a minute and the next change becomes a new event. Signatures
   * carry the real time.
   */
  shopClock: Clock
  market: MktB
  /** The lines of its log, one JSON text each. */
  log: readonly string[]
  call: ApiClient
  /** The hub's database. */
  database(): Database
  /** Looks at once whether people have to be told, as the hub does every minute. */
  tellPeople(): Promise<void>
  /** Stores the counts of refused webhooks at once, as the hub does every minute. */
  settleRefusals(): Promise<void>
  /** Looks at once whether the tokens of the streams of hints are still good. */
  beat(): Promise<void>
  /** Returns Fastify's tree of the hub's routes. */
  printRoutes(): string
  /** Stops the hub and starts it again on the same state, with other settings or variables. */
  restart(options?: RunOptions): Promise<void>
  /** Stops the hub; another process may go on with its state. */
  stop(): Promise<void>
  /** Makes a client of another process on the same state. */
  at(url: string): ApiClient
  /** Makes a connection to the simulated shop or marketplace and returns its id. */
  connect(platformType: 'shopa' | 'mktb', more?: object): Promise<string>
  /** Environment of another process on the same state. */
  variables: Record<string, string>
  /** Signs an event as the shop does and delivers it to this hub, or to another one at `url`. */
  deliver(connectionId: string, event: WebhookEvent, url?: string): Promise<Answer>
  /** Waits for the end of a job and returns it. */
  endOf(jobId: string): Promise<Job>
  /** Waits for the end of all jobs of a request and returns them, oldest first. */
  jobsOf(requestId: string): Promise<Job[]>
}

let watchdog: ReturnType<typeof startLoopWatchdog> | undefined

/**
 * Keeps the watchdog of this process between its hubs. Only the first hub then starts its thread,
 * which takes a tenth of the processor time of a hub.
 */
async function keepWatchdog (): Promise<void> {
  watchdog ??= startLoopWatchdog({ currentCall: () => undefined, isQuiet: () => true, onBlocked: () => undefined })
  await watchdog
}

/** Builds a hub in this process, with its own shop and marketplace. All end with the test. */
export async function buildTestHub (
  t: Pick<Test, 'teardown'>,
  { mode, packages, install, platforms = {}, reroute = async variables => variables, ...options }: TestHubOptions
): Promise<TestHub> {
  const keys = { admin: secret(), shop: randomBytes(16).toString('hex'), market: secret(), webhook: secret() }
  const shopClock = createClock()
  const shop = await startShopA({
    apiKey: keys.shop,
    products: sampleProducts,
    now: shopClock.now,
    signedAt: () => new Date()
  })
  t.teardown(() => shop.close())
  const market = await startMktB({ apiKey: keys.market, lagMs: 0 })
  t.teardown(() => market.close())
  const place = await openMode(mode, process.env)
  t.teardown(() => place.close())
  const settings = { ...platforms, mktb: { production: { baseUrl: market.baseUrl }, ownedHosts: ['127.0.0.1'] } }
  // The file holds the settings as well: other processes on the same state read them there.
  const { directory, remove } = await makeProject({ platforms: settings }, packages)
  t.teardown(remove)
  await install?.(directory)
  if (mode === 'embedded') {
    keepPostgres()
    await copyTemplate(join(directory, 'state'), process.env)
  }

  const log: string[] = []
  await keepWatchdog()
  const running = createRunning({
    directory,
    variables: await reroute(place.variables),
    keys,
    platforms: settings,
    log
  })
  // Teardowns run in the reverse order: the hub stops before everything that it works on.
  t.teardown(() => running.stop())
  await running.start(options)

  const call: ApiClient = (method, path, request) => createApi(running.url(), keys.admin)(method, path, request)
  return {
    get url () {
      return running.url()
    },
    mode,
    directory,
    keys,
    shop,
    shopClock,
    market,
    log,
    call,
    database: () => running.app().getDecorator<Database>('database'),
    tellPeople: () =>
      running.app().getDecorator<{ look(signal: AbortSignal): Promise<void> }>('alerts')
        .look(new AbortController().signal),
    settleRefusals: () => running.app().getDecorator<{ flush(): Promise<void> }>('webhookRefusals').flush(),
    beat: () => running.app().getDecorator<{ beat(): Promise<void> }>('hints').beat(),
    printRoutes: () => running.app().printRoutes(),
    async restart (next = {}) {
      await running.stop()
      await running.start(next)
    },
    stop: () => running.stop(),
    at: url => createApi(url, keys.admin),
    connect: (platformType, more) =>
      connect(
        call,
        { platformType, ...more },
        platformType === 'shopa' ? { apiUrl: shop.apiUrl, apiKey: keys.shop } : keys.market
      ),
    variables: { ...place.variables, ADMIN_TOKEN: keys.admin, LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook },
    deliver: (connectionId, event, url = running.url()) => deliver(url, keys.webhook, connectionId, event),
    endOf: jobId => endOf(call, jobId),
    jobsOf: requestId => jobsOf(call, requestId)
  }
}

const scheduleNames = [
  'master-inventory-sweep',
  'marketplace-offers-sync',
  'marketplace-orders-poll',
  'marketplace-orders-sweep',
  'shop-orders-poll',
  'mkta-offer-events',
  'mkta-quantity-commands',
  'mktb-orders-poll'
]
const switchedOff = scheduleNames.map(name => [name, { enabled: false }])
/** Every schedule is off, because its jobs would disturb a test; a test of one switches it on. */
export const withoutSchedules: NonNullable<ConfigFile['schedules']> = Object.fromEntries(switchedOff)

interface RunningOptions {
  directory: string
  variables: Record<string, string>
  keys: TestHub['keys']
  platforms: NonNullable<ConfigFile['platforms']>
  log: string[]
}

function createRunning ({ directory, variables, keys, platforms, log }: RunningOptions) {
  let app: Awaited<ReturnType<typeof buildApp>> | undefined
  let url = ''
  let forgetLog = (): void => undefined

  return {
    url: () => url,
    app () {
      if (app === undefined) throw new Error('the hub does not run')
      return app
    },
    async start (options: RunOptions) {
      const config = readConfig({
        LINKER_DATA_DIR: join(directory, 'state'),
        ADMIN_TOKEN: keys.admin,
        LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook,
        ...variables,
        ...options.variables
      }, directory)
      const logger = createLogger(config, {
        write: line => {
          log.push(line)
        }
      })
      app = await buildApp({
        config: { ...config, file: { ...config.file, platforms, schedules: withoutSchedules, ...options.config } },
        adminToken: keys.admin,
        loggerInstance: logger,
        random: () => 0,
        ...(options.now === undefined ? {} : { now: options.now })
      })
      forgetLog = watchLog('the hub in this process', log)
      url = await app.listen({ host: '127.0.0.1', port: 0 })
    },
    async stop () {
      await app?.close()
      app = undefined
      forgetLog()
    }
  }
}

async function connect (call: ApiClient, body: object, credentials: unknown): Promise<string> {
  const created = await call('POST', '/connections', {
    // Most simulators have one account, and some tests open it twice.
    body: { name: 'A connection', credentials, allowSameAccount: true, ...body }
  })
  if (created.status !== 201) throw new Error(`the connection was not created: ${created.text}`)
  return (created.json as { id: string }).id
}

async function deliver (
  url: string,
  secretOfSender: string,
  connectionId: string,
  event: WebhookEvent
): Promise<Answer> {
  const {
    provider = 'shopa',
    eventType,
    objectType,
    externalId,
    eventId = randomUUID(),
    requestId = randomUUID(),
    payload
  } = event
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType,
    occurredAt: new Date().toISOString(),
    object: { type: objectType, externalId },
    payload
  })
  const timestamp = String(Date.now())
  return createApi(url, '')('POST', `/webhooks/${provider}/${connectionId}`, {
    body,
    headers: {
      'x-request-id': requestId,
      'x-linker-timestamp': timestamp,
      'x-linker-signature': signWebhook(secretOfSender, timestamp, body)
    }
  })
}

/** Waits for the end of a job. Asks again because the API waits 10 s at most. */
export async function endOf (call: ApiClient, jobId: string): Promise<Job> {
  return eventually(`the end of job ${jobId}`, async () => {
    const { status, json } = await call('GET', `/jobs/${jobId}?wait=10`)
    return status === 200 && (json as Job).finishedAt !== null ? json as Job : undefined
  })
}

/**
 * Waits for the end of all jobs of a request. The hub stores follow-ups together with the end of
 * the job that made them, so no more come once all have ended.
 */
async function jobsOf (call: ApiClient, requestId: string): Promise<Job[]> {
  return eventually(`the end of the jobs of request ${requestId}`, async () => {
    const { json } = await call('GET', `/jobs?requestId=${requestId}&limit=200`)
    const jobs = json as Job[]
    return jobs.length > 0 && jobs.every(job => job.finishedAt !== null) ? jobs.toReversed() : undefined
  })
}

function secret (): string {
  return randomBytes(32).toString('hex')
}
