import { startShopA } from '@linker/simulators'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { createApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { countEvents, waitForEnds, type EventCounts } from './event-ends.ts'
import { concurrency, sendAll } from './send-events.ts'
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
export interface KillCounts extends EventCounts {
  acknowledged: number
  attempts: number
  kills: number
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
    const address = `${hub.url}/webhooks/shopa/${id}`
    const sending = sendAll({ addressOf: () => address, secret, eventIds })
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
      ...await countEvents(mode, state.variables, project.directory, sending.acknowledged, jobs)
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

/**
 * Returns after how many acknowledged events the hub is killed. The kills are spread over the run,
 * so that each one meets deliveries.
 */
function momentsOf (kills: number, events: number): number[] {
  const share = events / kills
  const widest = Math.max(2, Math.floor(share - concurrency))
  return Array.from({ length: kills }, (_, kill) => Math.floor(share * kill) + randomInt(1, widest))
}
