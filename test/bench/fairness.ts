import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { describeMachine, percentilesOf } from './figures.ts'
import { sendLoad } from './load.ts'
import { prepareRequests } from './requests.ts'

export interface FairnessOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  events: number
  probes: number
}

interface Job {
  payload: { externalId?: string }
  createdAt: string
  attempts: readonly { startedAt: string }[]
}

const probeEveryMs = 50
const bodyBytes = 500
const ingestSeconds = 600

/**
 * Measures how long a job of one connection waits behind the events of another. A hub that runs no
 * jobs accepts those events first.
 */
export async function benchFairness ({ modes, environment, events, probes }: FairnessOptions): Promise<void> {
  console.log(`fairness: ${events} events of one shop wait when the hub starts; ` +
    `then another shop sends ${probes}, one every ${probeEveryMs} ms`)
  console.log(describeMachine())
  showRow('seconds from the 202 to the start of the job', ['p50', 'p99', 'longest', 'others still wait'])
  const shop = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  try {
    for (const mode of modes) await measure(mode)
  } finally {
    shop.close()
    shop.closeAllConnections()
  }

  async function measure (mode: Mode): Promise<void> {
    const state = await openMode(mode, environment)
    const project = await makeProject({ outbound: { allow: ['127.0.0.0/8'] } })
    const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
    const start = (role: string): Promise<HubProcess> =>
      startHubProcess(project.directory, {
        ...state.variables,
        ADMIN_TOKEN: token,
        LINKER_WEBHOOK_SECRET__SHOPA: secret,
        LINKER_ROLE: role,
        LOG_LEVEL: 'warn'
      })
    try {
      const gate = await start('http')
      const [chatty, quiet] = await Promise.all([
        connect(createApi(gate.url, token), shop),
        connect(createApi(gate.url, token), shop)
      ])
      const flood = prepareRequests({
        host: new URL(gate.url).host,
        connectionIds: [chatty],
        secret,
        count: events,
        bodyBytes,
        eventType: 'stock.changed'
      })
      const { accepted } = await sendLoad({
        url: gate.url,
        requests: flood,
        sockets: 50,
        pipelining: 1,
        seconds: ingestSeconds
      })
      if (accepted !== events) throw new Error(`only ${accepted} of ${events} events were accepted`)
      await gate.stop()

      const hub = await start('all')
      const acceptedAt = await sendProbes(hub, quiet, secret, probes)
      const api = createApi(hub.url, token)
      const started = await startsOf(api, quiet, probes)
      const { json: waiting } = await api('GET', `/jobs?connectionId=${chatty}&status=queued&limit=1`)
      const secondsUntilStart = ([externalId, at]: [string, number]): number =>
        ((started.get(externalId) ?? Number.NaN) - at) / 1_000
      const { p50, p99, longest } = percentilesOf([...acceptedAt].map(secondsUntilStart))
      const figures = [p50, p99, longest].map(seconds => seconds.toFixed(2))
      showRow(mode, [...figures, (waiting as Job[]).length > 0 ? 'yes' : 'no'])
      await hub.stop()
    } finally {
      await project.remove()
      await state.close()
    }
  }
}

const widths = [8, 8, 9, 22]

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(48) + cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(''))
}

async function connect (api: ApiClient, shop: ReturnType<typeof createServer>): Promise<string> {
  const { port } = shop.address() as AddressInfo
  const created = await api('POST', '/connections', {
    body: {
      name: 'A shop',
      platformType: 'shopa',
      credentials: { apiUrl: `http://127.0.0.1:${port}`, apiKey: randomBytes(16).toString('hex') }
    }
  })
  if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
  return (created.json as { id: string }).id
}

/** Returns when the hub accepted each probe, by the id of the probe's object. */
async function sendProbes (
  hub: HubProcess,
  connectionId: string,
  secret: string,
  probes: number
): Promise<Map<string, number>> {
  const requests = prepareRequests({
    host: new URL(hub.url).host,
    connectionIds: [connectionId],
    secret,
    count: probes,
    bodyBytes,
    eventType: 'stock.changed'
  })
  const acceptedAt = new Map<string, number>()
  for (const [index, request] of requests.entries()) {
    const { accepted } = await sendLoad({ url: hub.url, requests: [request], sockets: 1, pipelining: 1, seconds: 30 })
    if (accepted !== 1) throw new Error(`probe ${index} was not accepted`)
    acceptedAt.set(String(index), Date.now())
    await wait(probeEveryMs)
  }
  return acceptedAt
}

async function startsOf (api: ApiClient, connectionId: string, count: number): Promise<Map<string, number>> {
  const deadline = AbortSignal.timeout(ingestSeconds * 1_000)
  for (;;) {
    deadline.throwIfAborted()
    const { json } = await api('GET', `/jobs?connectionId=${connectionId}&limit=200`)
    const started = new Map<string, number>()
    for (const { payload: { externalId }, attempts: [first] } of json as Job[]) {
      if (externalId !== undefined && first !== undefined) started.set(externalId, Date.parse(first.startedAt))
    }
    if (started.size >= count) return started
    await wait(probeEveryMs)
  }
}
