import { startShopA } from '@linker/simulators'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createApi } from '../support/api.ts'
import { runLinker, startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import type { NewerHub } from '../support/newer-hub.ts'
import { makeProject } from '../support/project.ts'
import { countEvents, waitForEnds, type EventCounts } from './event-ends.ts'
import { sendAll } from './send-events.ts'

export interface UpgradeOptions {
  /** Both hubs use one PostgreSQL. */
  mode: Exclude<Mode, 'embedded'>
  environment: NodeJS.ProcessEnv
  newer: NewerHub
  /** The run sends so many with the older hub alone, with both, and with the newer one alone. */
  eventsOfEachPart: number
}

/** `lost`, `publishedTwice` and `ranTwice` must be zero. */
export interface UpgradeCounts extends EventCounts {
  /** How many events each version acknowledged while both ran. */
  besideEachOther: { older: number, newer: number }
  /** Events that were acknowledged before the upgrade began and that the backup does not have. */
  lostByTheWayBack: number
  /** The exit code and the last words of the older hub on the database of the newer one. */
  refusal: { code: number | null, text: string }
}

const pauseMs = 50

/**
 * Upgrades a hub while webhooks are sent: a process of the newer version joins, both serve for a
 * while, and the older one stops. Then tries to start the older one again, on the database and on
 * the backup from before the upgrade.
 */
export async function upgradeWhileSending (options: UpgradeOptions): Promise<UpgradeCounts> {
  const { mode, environment, newer, eventsOfEachPart } = options
  const state = await openMode(mode, environment)
  const apiKey = randomBytes(16).toString('hex')
  const shop = await startShopA({ apiKey })
  const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const { directory, remove } = await makeProject({ outbound: { allow: ['127.0.0.1/32'] } })
  const variables = {
    ...state.variables,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__SHOPA: secret,
    LOG_LEVEL: 'warn'
  }
  const older = await startHubProcess(directory, variables)
  const running = new Set<HubProcess>([older])
  try {
    const { id } = (await createApi(older.url, token)('POST', '/connections', {
      body: { name: 'Shop', platformType: 'shopa', credentials: { apiUrl: shop.apiUrl, apiKey } }
    })).json as { id: string }
    const addresses = [`${older.url}/webhooks/shopa/${id}`]
    const { sent, sending, end } = sendUntilEnd(secret, () => addresses)
    const sendSomeMore = (): Promise<void> => sending.acknowledgedSoMany(sending.acknowledged.size + eventsOfEachPart)

    await sendSomeMore()
    const beforeUpgrade = [...sending.acknowledged]
    const next = await startHubProcess(directory, variables, newer.command)
    running.add(next)
    addresses.push(`${next.url}/webhooks/shopa/${id}`)
    await sendSomeMore()
    const besideEachOther = { older: await countAccepted(older, token), newer: await countAccepted(next, token) }
    addresses.shift()
    await older.stop('SIGTERM')
    await sendSomeMore()

    end()
    await sending.finished
    const jobs = await waitForEnds(createApi(next.url, token), id, sent)
    const again = await runLinker(['start'], directory, { ...variables, PORT: '0' })
    await next.stop()
    const lostByTheWayBack = await goBack({ mode, environment, directory, variables }, id, beforeUpgrade)
    return {
      lostByTheWayBack,
      besideEachOther,
      refusal: { code: again.code, text: again.stdout + again.stderr },
      ...await countEvents(mode, state.variables, directory, sending.acknowledged, jobs)
    }
  } finally {
    for (const hub of running) await hub.kill()
    await shop.close()
    await remove()
    await state.close()
  }
}

interface WayBack {
  mode: Exclude<Mode, 'embedded'>
  environment: NodeJS.ProcessEnv
  directory: string
  variables: Record<string, string>
}

/**
 * Restores the backup that the newer hub wrote, and starts the older hub on it. Returns how many of
 * the events have no job there.
 */
async function goBack (
  { mode, environment, directory, variables }: WayBack,
  connectionId: string,
  eventIds: readonly string[]
): Promise<number> {
  const state = await openMode(mode, environment)
  const restored = { ...variables, ...state.variables }
  try {
    const [backup = ''] = (await readdir(join(directory, '.linker'))).filter(name => name.endsWith('.backup.gz'))
    const { code, stderr } = await runLinker(['restore', join('.linker', backup)], directory, restored)
    if (code !== 0) throw new Error(`the backup was not restored: ${stderr}`)
    const hub = await startHubProcess(directory, restored)
    try {
      const jobs = await waitForEnds(createApi(hub.url, restored.ADMIN_TOKEN ?? ''), connectionId, eventIds)
      return eventIds.filter(eventId => jobs.get(eventId)?.length !== 1).length
    } finally {
      await hub.kill()
    }
  } finally {
    await state.close()
  }
}

/** Sends new events, in turns to each of the addresses, until `end` is called. */
function sendUntilEnd (secret: string, addresses: () => readonly string[]) {
  const sent: string[] = []
  let isEnded = false
  let turn = 0

  function* makeEvents (): Generator<string> {
    while (!isEnded) {
      const eventId = randomUUID()
      sent.push(eventId)
      yield eventId
    }
  }

  function addressOf (): string {
    turn += 1
    return addresses()[turn % addresses().length] ?? ''
  }

  return {
    sent,
    sending: sendAll({ addressOf, secret, eventIds: makeEvents(), pauseMs }),
    end () {
      isEnded = true
    }
  }
}

async function countAccepted ({ url }: HubProcess, token: string): Promise<number> {
  const { text } = await createApi(url, token)('GET', '/metrics')
  return text.split('\n')
    .filter(line => line.startsWith('linker_webhooks_total{') && line.includes('outcome="accepted"'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
