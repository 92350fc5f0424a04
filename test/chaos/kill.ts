import { signWebhook } from '@linker/sdk'
import { startShopA } from '@linker/simulators'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { dumpEvents } from './dump-events.ts'
import { hasEnded, listJobs, type EventJob } from './jobs.ts'

export interface KillOptions { mode: Mode, environment: NodeJS.ProcessEnv, kills: number, events: number }

/** What became of the events. All of `lost`, `publishedTwice` and `ranTwice` must be zero. */
export interface KillCounts { acknowledged: number, attempts: number, kills: number, lost: number, publishedTwice: number, ranTwice: number }

/**
 * Sends signed webhooks with retries while the hub is killed at random and started again. Afterwards every event that was
 * answered 202 must stand in the stream once and have one job that came to its end.
 */
export async function killWhileSending ({ mode, environment, kills, events }: KillOptions): Promise<KillCounts> {
  const state = await openMode(mode, environment)
  const apiKey = randomBytes(16).toString('hex')
  const shop = await startShopA({ apiKey })
  const secret = randomBytes(16).toString('hex')
  const token = randomBytes(32).toString('hex')
  const project = await makeProject({ outbound: { allow: ['127.0.0.1/32'] } })
  const port = String(await freePort())
  const variables = { ...state.variables, PORT: port, ADMIN_TOKEN: token, LINKER_WEBHOOK_SECRET__SHOPA: secret, LOG_LEVEL: 'warn' }
  let hub = await startHubProcess(project.directory, variables)
  try {
    const api = createApi(hub.url, token)
    const { id } = (await api('POST', '/connections', { body: { name: 'Shop', platformType: 'shopa', credentials: { apiUrl: shop.apiUrl, apiKey } } })).json as { id: string }
    const eventIds = Array.from({ length: events }, () => randomUUID())
    // As long as the kills take, so that each of them meets deliveries.
    const pauseMs = kills * longestUpMs * concurrency / events
    const sending = sendAll({ address: `${hub.url}/webhooks/shopa/${id}`, secret, eventIds, pauseMs })
    hub = await killRepeatedly(hub, kills, sending, () => startHubProcess(project.directory, variables))
    const attempts = await sending.finished
    const ended = await waitForEnds(api, id, eventIds)
    await hub.stop()
    return { acknowledged: sending.acknowledged.size, attempts, kills, ...await count(mode, state.variables, project.directory, sending.acknowledged, ended) }
  } catch (error) {
    throw new Error(`the hub logged last:\n${hub.log.slice(-5).join('\n')}`, { cause: error })
  } finally {
    await hub.kill()
    await shop.close()
    await project.remove()
    await state.close()
  }
}

interface Sending { acknowledged: Set<string>, finished: Promise<number>, isFinished (): boolean }

const concurrency = 4
const retryMs = 50
const longestUpMs = 700

/** Every event is sent until it is answered 202, as the shop's module does. */
function sendAll ({ address, secret, eventIds, pauseMs }: { address: string, secret: string, eventIds: readonly string[], pauseMs: number }): Sending {
  const acknowledged = new Set<string>()
  const queue = eventIds.entries()
  let attempts = 0
  let isFinished = false

  async function send (): Promise<void> {
    for (const [index, eventId] of queue) {
      while (!acknowledged.has(eventId)) {
        attempts += 1
        if (await deliver(address, secret, eventId, index)) acknowledged.add(eventId)
        else await wait(retryMs)
      }
      await wait(pauseMs)
    }
  }

  const finished = Promise.all(Array.from({ length: concurrency }, send)).then(() => {
    isFinished = true
    return attempts
  })
  return { acknowledged, finished, isFinished: () => isFinished }
}

async function deliver (address: string, secret: string, eventId: string, index: number): Promise<boolean> {
  const timestamp = String(Date.now())
  const body = JSON.stringify({ schemaVersion: 1, eventId, eventType: 'product.saved', occurredAt: new Date().toISOString(), object: { type: 'product', externalId: String(index + 1) } })
  try {
    const response = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-linker-timestamp': timestamp, 'x-linker-signature': signWebhook(secret, timestamp, body) },
      body,
      signal: AbortSignal.timeout(10_000)
    })
    await response.body.dump()
    if (response.statusCode >= 400 && response.statusCode < 500) throw new TypeError(`the hub refused an event with ${response.statusCode}`)
    return response.statusCode === 202
  } catch (error) {
    // A refusal would never heal: it ends the run. Everything else is the hub being away.
    if (error instanceof TypeError && error.message.startsWith('the hub refused')) throw error
    return false
  }
}

async function killRepeatedly (first: HubProcess, kills: number, sending: Sending, start: () => Promise<HubProcess>): Promise<HubProcess> {
  let hub = first
  for (let done = 0; done < kills; done += 1) {
    await wait(randomInt(20, longestUpMs))
    await hub.kill()
    hub = await start()
  }
  return hub
}

async function waitForEnds (call: ApiClient, connectionId: string, eventIds: readonly string[]): Promise<Map<string, EventJob[]>> {
  return eventually('the end of every job', async () => {
    const byEvent = Map.groupBy(await listJobs(call, `connectionId=${connectionId}`), job => job.payload.eventId ?? '')
    return eventIds.every(eventId => (byEvent.get(eventId) ?? []).some(hasEnded)) ? byEvent : undefined
  })
}

async function count (mode: Mode, variables: Record<string, string>, directory: string, acknowledged: ReadonlySet<string>, jobs: ReadonlyMap<string, EventJob[]>): Promise<Pick<KillCounts, 'lost' | 'publishedTwice' | 'ranTwice'>> {
  const published = Map.groupBy(await dumpEvents(mode, variables, directory), eventId => eventId)
  const ids = [...acknowledged]
  return {
    lost: ids.filter(eventId => !published.has(eventId) || !jobs.has(eventId)).length,
    publishedTwice: ids.filter(eventId => (published.get(eventId)?.length ?? 0) > 1).length,
    ranTwice: ids.filter(eventId => (jobs.get(eventId)?.length ?? 0) > 1).length
  }
}
