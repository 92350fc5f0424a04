import { signWebhook } from '@linker/sdk'
import { startShopA } from '@linker/simulators'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { request } from 'undici'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { startPooler } from '../support/pooler.ts'
import { makeProject } from '../support/project.ts'
import { garbled, openProxy, shortened, type Proxy } from '../support/proxy.ts'
import { startRedisPair } from '../support/redis-pair.ts'
import { hasEnded, listJobs } from './jobs.ts'

/** Faults of the hub's open connections to its servers. They stay open, and new ones work. */
const linkFaults = {
  silent: (proxy: Proxy) => {
    proxy.silence()
  },
  garbled: (proxy: Proxy) => {
    proxy.damage(garbled)
  },
  shortened: (proxy: Proxy) => {
    proxy.damage(shortened)
  }
}
type LinkFault = keyof typeof linkFaults
/** Fail-overs of Redis: by hand with REPLICAOF, and by Sentinels, when the primary is silent. */
const failOvers = ['replicaof', 'sentinels'] as const

const serverVariables = { postgres: 'DATABASE_URL', redis: 'REDIS_URL' } as const
type Server = keyof typeof serverVariables

/** Faults of open connections, fail-overs of Redis, and a pooler before PostgreSQL that dies. */
export type Failing =
  | { servers: readonly Server[], fault: LinkFault }
  | { servers: readonly ['redis'], fault: typeof failOvers[number] }
  | { servers: readonly ['pooler'], fault: 'killed' }

/** Returns what fails in a mode: each server alone, then all together, and the pooler. */
export function linksOf (mode: Mode): Failing[] {
  if (mode === 'embedded') return []
  const links: Server[][] = mode === 'postgres' ? [['postgres']] : [['postgres'], ['redis'], ['postgres', 'redis']]
  const faults = Object.keys(linkFaults) as LinkFault[]
  return [
    ...links.flatMap(servers => faults.map(fault => ({ servers, fault }))),
    ...mode === 'full' ? failOvers.map(fault => ({ servers: ['redis'] as const, fault })) : [],
    { servers: ['pooler'], fault: 'killed' }
  ]
}

interface LinkOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  failing: Failing
}

export interface LinkCounts {
  deliveries: number
  refused: number
  /** Longest wait of a delivery for its answer. */
  slowestMs: number
  /** From the fault to the end of the last refused delivery. */
  acceptedAgainMs: number
  /** From the fault to the end of the last answer of `/readyz` that was not 200. */
  readyAgainMs: number
  /** Longest wait of an API request for its answer. */
  slowestApiMs: number
  /** Longest time from an answer 202 to the end of the event's job. */
  slowestJobMs: number
  /** Exit code of the hub when SIGTERM comes a second after the same fault. */
  exitCode: number | null
  exitMs: number
}

/** Limits of `LinkCounts`: senders give up after 5 s, and process managers kill after 30 s. */
export const linkLimits: Partial<Record<keyof LinkCounts, number>> = {
  slowestMs: 5_000,
  acceptedAgainMs: 10_000,
  readyAgainMs: 12_000,
  slowestApiMs: 10_000,
  slowestJobMs: 30_000,
  exitCode: 0,
  exitMs: 25_000
}

const senders = 4
const pauseMs = 100
/** Events that the hub accepts before the fault, and that must not be lost in it. */
const eventsBefore = 20
/** How long a killed pooler is away. */
const downMs = 3_000

/**
 * Sends webhooks while the connections to servers fail; then lets them fail again and stops the
 * hub. Throws when an accepted event has no job that ends.
 */
export async function failLinks (options: LinkOptions): Promise<LinkCounts> {
  const closers: (() => unknown)[] = []
  try {
    const { call, hub, deliver, befall } = await openLine(options, closers)
    const before = await Promise.all(Array.from({ length: eventsBefore }, deliver))

    await befall()
    const failedAt = performance.now()
    const ended = new AbortController()
    const sending = Promise.all(Array.from({ length: senders }, () => sendUntil(deliver, ended.signal)))
    const [looks, redUntil, sent] = await Promise.all([
      lookUntilAnswered(call).finally(() => {
        ended.abort()
      }),
      watchReadiness(call, sending),
      sending
    ])
    const deliveries = [...before, ...sent.flat()]
    const accepted = deliveries.filter(({ isAccepted }) => isAccepted)
    const refused = deliveries.filter(({ isAccepted }) => !isAccepted)
    const ends = await endsOfJobs(call, accepted).catch((error: unknown) => {
      throw new Error(`the hub logged last:\n${hub.log.slice(-10).join('\n')}`, { cause: error })
    })

    await befall()
    await wait(1_000)
    const stoppedAt = performance.now()
    const exitCode = await hub.stop('SIGTERM')
    const exitMs = Math.round(performance.now() - stoppedAt)
    return {
      deliveries: deliveries.length,
      refused: refused.length,
      slowestMs: Math.round(Math.max(...deliveries.map(({ sentAt, answeredAt }) => answeredAt - sentAt))),
      acceptedAgainMs: Math.round(Math.max(0, ...refused.map(({ answeredAt }) => answeredAt - failedAt))),
      readyAgainMs: Math.round(Math.max(0, redUntil - failedAt)),
      slowestApiMs: Math.round(Math.max(...looks)),
      slowestJobMs: Math.round(Math.max(...ends)),
      exitCode,
      exitMs
    }
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

interface Delivery {
  eventId: string
  isAccepted: boolean
  sentAt: number
  answeredAt: number
}
type Deliver = () => Promise<Delivery>
interface Line {
  call: ApiClient
  hub: HubProcess
  deliver: Deliver
  befall: () => void | Promise<void>
}

async function openLine (
  { mode, environment, failing }: LinkOptions,
  closers: (() => unknown)[]
): Promise<Line> {
  const state = await openMode(mode, environment)
  closers.push(() => state.close())
  const apiKey = randomBytes(16).toString('hex')
  const shop = await startShopA({ apiKey })
  closers.push(() => shop.close())
  const project = await makeProject({ outbound: { allow: ['127.0.0.1/32'] } })
  closers.push(() => project.remove())

  const { variables, befall } = await openFault(failing, state.variables, {
    teardown (close) {
      closers.push(close)
    }
  })
  const [token, secret] = [randomBytes(32).toString('hex'), randomBytes(16).toString('hex')]
  const hub = await startHubProcess(project.directory, {
    ...variables,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__SHOPA: secret,
    LOG_LEVEL: 'warn'
  })
  closers.push(() => hub.kill())

  const call = createApi(hub.url, token)
  const { json } = await call('POST', '/connections', {
    body: { name: 'Shop', platformType: 'shopa', credentials: { apiUrl: shop.apiUrl, apiKey } }
  })
  const address = `${hub.url}/webhooks/shopa/${(json as { id: string }).id}`
  return {
    call,
    hub,
    deliver: () => deliverTo(address, secret),
    befall
  }
}

/** Returns the variables that lead to servers that can fail so, and lets them fail. */
async function openFault (
  failing: Failing,
  given: Record<string, string>,
  t: Pick<Test, 'teardown'>
): Promise<Pick<Line, 'befall'> & { variables: Record<string, string> }> {
  if (failing.fault === 'killed') {
    const pooler = await startPooler(given.DATABASE_URL ?? '', {})
    let restarted = Promise.resolve()
    t.teardown(async () => {
      await restarted
      await pooler.close()
    })
    return {
      variables: { ...given, DATABASE_URL: pooler.url },
      befall () {
        restarted = pooler.restart(downMs)
      }
    }
  }
  const { servers, fault } = failing
  if (fault === 'sentinels') {
    const pair = await startRedisPair(t)
    return { variables: { ...given, REDIS_URL: await pair.watch() }, befall: pair.freeze }
  }
  if (fault === 'replicaof') {
    const { url, befall } = await openFailOver(t)
    return { variables: { ...given, REDIS_URL: url }, befall }
  }
  const proxies: Proxy[] = []
  const variables = { ...given }
  for (const server of servers) {
    const variable = serverVariables[server]
    const proxy = await openProxy(t, variables[variable] ?? '')
    proxies.push(proxy)
    variables[variable] = proxy.url
  }
  return {
    variables,
    befall () {
      for (const proxy of proxies) linkFaults[fault](proxy)
    }
  }
}

/** Starts a Redis whose replica takes its place, by REPLICAOF, whenever `befall` is called. */
export async function openFailOver (t: Pick<Test, 'teardown'>): Promise<{ url: string, befall: () => Promise<void> }> {
  const pair = await startRedisPair(t)
  const proxy = await openProxy(t, pair.url())
  return {
    url: proxy.url,
    async befall () {
      await pair.swap()
      proxy.redirect(pair.url())
    }
  }
}

async function deliverTo (address: string, secret: string): Promise<Delivery> {
  const eventId = randomUUID()
  const timestamp = String(Date.now())
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType: 'product.saved',
    occurredAt: new Date().toISOString(),
    object: { type: 'product', externalId: '1' }
  })
  const headers = {
    'content-type': 'application/json',
    'x-linker-timestamp': timestamp,
    'x-linker-signature': signWebhook(secret, timestamp, body)
  }
  const sentAt = performance.now()
  const answer = await request(address, { method: 'POST', headers, body })
  await answer.body.dump()
  return { eventId, isAccepted: answer.statusCode === 202, sentAt, answeredAt: performance.now() }
}

/** Delivers until the signal, and then until the hub accepts one. */
async function sendUntil (deliver: Deliver, signal: AbortSignal): Promise<Delivery[]> {
  const deliveries: Delivery[] = []
  while (!signal.aborted || deliveries.at(-1)?.isAccepted !== true) {
    deliveries.push(await deliver())
    await wait(pauseMs)
  }
  return deliveries
}

/** Asks the API until it answers 200. Returns how long each request took, in milliseconds. */
async function lookUntilAnswered (call: ApiClient): Promise<number[]> {
  const took: number[] = []
  for (;;) {
    const startedAt = performance.now()
    const { status } = await call('GET', '/connections')
    took.push(performance.now() - startedAt)
    if (status === 200) return took
    await wait(pauseMs)
  }
}

/**
 * Asks `/readyz` until all is sent and it answers 200. Returns the time of the last other answer.
 */
async function watchReadiness (call: ApiClient, sending: Promise<unknown>): Promise<number> {
  let [redUntil, isSent] = [0, false]
  const sent = sending.then(() => {
    isSent = true
  })
  for (let status = 0; !isSent || status !== 200;) {
    status = (await call('GET', '/readyz')).status
    if (status !== 200) redUntil = performance.now()
    await Promise.race([sent, wait(pauseMs)])
    if (isSent && status !== 200) await wait(pauseMs)
  }
  return redUntil
}

/**
 * Waits for the end of one job per accepted event. Returns the milliseconds from the acceptance to
 * that end.
 */
async function endsOfJobs (call: ApiClient, accepted: readonly Delivery[]): Promise<number[]> {
  const toMonotonic = performance.now() - Date.now()
  return eventually('a job that ended for every event', async () => {
    const jobs = await listJobs(call, 'jobType=master.product.syncByExternalId')
    const endedAt = new Map<string | undefined, number>()
    for (const { payload, finishedAt } of jobs.filter(hasEnded)) {
      endedAt.set(payload.eventId, Date.parse(finishedAt ?? '') + toMonotonic)
    }
    const ends = accepted.flatMap(({ eventId, answeredAt }) => {
      const at = endedAt.get(eventId)
      return at === undefined ? [] : [at - answeredAt]
    })
    return ends.length === accepted.length ? ends : undefined
  })
}
