import { signWebhook } from '@linker/sdk'
import { startShopA } from '@linker/simulators'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { dumpEvents } from './dump-events.ts'
import { hasEnded, listJobs, type EventJob } from './jobs.ts'
import { letTimePass } from './stored-state.ts'

export interface KillOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  kills: number
  events: number
  /** Whether the next hub waits its usual time before it takes over the work of a killed hub. */
  waitsForTheDead?: boolean
}

/** The results of a run. `lost`, `publishedTwice` and `ranTwice` must be zero. */
export interface KillCounts {
  acknowledged: number
  attempts: number
  kills: number
  lost: number
  publishedTwice: number
  ranTwice: number
}

/**
 * Sends signed webhooks with retries while the hub is killed at random and started again. In the
 * end, every event that was answered 202 must be in the stream once and have one job that ended.
 */
export async function killWhileSending (options: KillOptions): Promise<KillCounts> {
  const { mode, environment, kills, events, waitsForTheDead = true } = options
  const state = await openMode(mode, environment)
  const apiKey = randomBytes(16).toString('hex')
  const shop = await startShopA({ apiKey })
  const secret = randomBytes(16).toString('hex')
  const token = randomBytes(32).toString('hex')
  const project = await makeProject({ outbound: { allow: ['127.0.0.1/32'] } })
  const port = String(await freePort())
  const variables = {
    ...state.variables,
    PORT: port,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__SHOPA: secret,
    LOG_LEVEL: 'warn'
  }
  let hub = await startHubProcess(project.directory, variables)
  try {
    const api = createApi(hub.url, token)
    const { id } = (await api('POST', '/connections', {
      body: { name: 'Shop', platformType: 'shopa', credentials: { apiUrl: shop.apiUrl, apiKey } }
    })).json as { id: string }
    const eventIds = Array.from({ length: events }, () => randomUUID())
    const sending = sendAll({ address: `${hub.url}/webhooks/shopa/${id}`, secret, eventIds })
    for (const killAt of momentsOf(kills, events)) {
      await sending.acknowledgedSoMany(killAt)
      await hub.kill()
      if (!waitsForTheDead) await letTimePass({ variables: state.variables, directory: project.directory })
      hub = await startHubProcess(project.directory, variables)
    }
    const attempts = await sending.finished
    const jobs = await waitForEnds(api, id, eventIds)
    await hub.stop()
    return {
      acknowledged: sending.acknowledged.size,
      attempts,
      kills,
      ...await count(mode, state.variables, project.directory, sending.acknowledged, jobs)
    }
  } catch (error) {
    throw new Error(`the hub logged last:\n${hub.log.slice(-5).join('\n')}`, { cause: error })
  } finally {
    await hub.kill()
    await shop.close()
    await project.remove()
    await state.close()
  }
}

interface Sending {
  acknowledged: ReadonlySet<string>
  finished: Promise<number>
  /** Resolves with the answer that brings the number to `count`. */
  acknowledgedSoMany(count: number): Promise<void>
}

/** The hub claims the work of a killed hub within 15 s; this is four times as long. */
const standstillMs = 60_000
const concurrency = 16
const retryMs = 250

/**
 * Returns after how many acknowledged events the hub is killed. The kills are spread over the run,
 * so that each one meets deliveries.
 */
function momentsOf (kills: number, events: number): number[] {
  const share = events / kills
  const widest = Math.max(2, Math.floor(share - concurrency))
  return Array.from({ length: kills }, (_, kill) => Math.floor(share * kill) + randomInt(1, widest))
}

/** Sends every event until the hub answers 202, as the shop's module does. */
function sendAll ({ address, secret, eventIds }: {
  address: string,
  secret: string,
  eventIds: readonly string[]
}): Sending {
  const acknowledged = new Set<string>()
  const waiting = new Set<{ count: number, resolve(): void }>()
  const queue = eventIds.entries()
  let attempts = 0

  function look (): void {
    for (const entry of waiting) if (acknowledged.size >= entry.count) entry.resolve()
  }

  async function send (): Promise<void> {
    for (const [index, eventId] of queue) {
      while (!acknowledged.has(eventId)) {
        attempts += 1
        if (!await deliver(address, secret, eventId, index)) await wait(retryMs)
        else acknowledged.add(eventId)
        look()
      }
    }
  }

  return {
    acknowledged,
    finished: Promise.all(Array.from({ length: concurrency }, send)).then(() => attempts),
    acknowledgedSoMany: count =>
      new Promise(resolve => {
        waiting.add({ count, resolve })
        look()
      })
  }
}

async function deliver (address: string, secret: string, eventId: string, index: number): Promise<boolean> {
  const timestamp = String(Date.now())
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType: 'product.saved',
    occurredAt: new Date().toISOString(),
    object: { type: 'product', externalId: String(index + 1) }
  })
  try {
    const response = await request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-linker-timestamp': timestamp,
        'x-linker-signature': signWebhook(secret, timestamp, body)
      },
      body,
      signal: AbortSignal.timeout(10_000)
    })
    await response.body.dump()
    if (response.statusCode >= 400 && response.statusCode < 500) {
      throw new TypeError(`the hub refused an event with ${response.statusCode}`)
    }
    return response.statusCode === 202
  } catch (error) {
    // A refusal ends the run: another try would not help. Any other error means the hub is away.
    if (error instanceof TypeError && error.message.startsWith('the hub refused')) throw error
    return false
  }
}

/**
 * Waits until every event has a job that ended, or until no more jobs end. Returns the jobs of each
 * event that has one.
 */
async function waitForEnds (
  call: ApiClient,
  connectionId: string,
  eventIds: readonly string[]
): Promise<Map<string, EventJob[]>> {
  let last = { ended: -1, at: 0 }
  return eventually('the end of every job', async () => {
    const jobs = Map.groupBy(await listJobs(call, `connectionId=${connectionId}`), job => job.payload.eventId ?? '')
    const ended = eventIds.filter(eventId => jobs.get(eventId)?.some(hasEnded)).length
    if (ended > last.ended) last = { ended, at: performance.now() }
    return ended === eventIds.length || performance.now() - last.at > standstillMs ? jobs : undefined
  }, Infinity)
}

async function count (
  mode: Mode,
  variables: Record<string, string>,
  directory: string,
  acknowledged: ReadonlySet<string>,
  jobs: ReadonlyMap<string, EventJob[]>
): Promise<Pick<KillCounts, 'lost' | 'publishedTwice' | 'ranTwice'>> {
  const published = Map.groupBy(await dumpEvents(mode, variables, directory), eventId => eventId)
  const ids = [...acknowledged]
  return {
    lost: ids.filter(eventId => !published.has(eventId) || !jobs.get(eventId)?.some(hasEnded)).length,
    publishedTwice: ids.filter(eventId => (published.get(eventId)?.length ?? 0) > 1).length,
    ranTwice: ids.filter(eventId => (jobs.get(eventId)?.length ?? 0) > 1).length
  }
}
