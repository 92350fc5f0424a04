import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi, type ApiClient } from '../../support/api.ts'
import { startHubProcess, type HubProcess } from '../../support/hub-process.ts'
import { openMode, type Mode } from '../../support/modes.ts'
import { makeProject } from '../../support/project.ts'
import { defineBench } from '../bench.ts'
import { percentilesOf, repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { sendLoad } from '../tools/load.ts'
import { prepareRequests } from '../tools/requests.ts'

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
export const fairness = defineBench({
  name: 'fairness',
  options: { flood: 50_000, probes: 100 },
  async run ({ modes, environment, runs, options: { flood, probes } }) {
    const shop = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    }).listen(0, '127.0.0.1')
    try {
      for (const mode of modes) {
        const report = openReport({
          name: `fairness-${mode}`,
          title: `First job behind the events of another connection, ${mode}`,
          method: `${flood} events of one shop wait when the hub starts; then another shop sends ${probes}, ` +
            `one every ${probeEveryMs} ms; seconds from the 202 to the start of the job`,
          runs,
          columns: {
            p50: { heading: 'p50 s', digits: 2 },
            p99: { heading: 'p99 s', digits: 2 },
            longest: { heading: 'longest s', digits: 2 },
            left: { heading: 'others wait: 1' }
          },
          main: 'p99'
        })
        report.hub('hub', await repeat(runs, () => measure({ mode, environment, shop, flood, probes })))
        await report.keep()
      }
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  }
})

async function measure ({ mode, environment, shop, flood, probes }: {
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  shop: Server,
  flood: number,
  probes: number
}): Promise<Figures<'p50' | 'p99' | 'longest' | 'left'>> {
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
    await sendFlood(gate.url, secret, chatty, flood)
    await gate.stop()

    const hub = await start('all')
    const acceptedAt = await sendProbes(hub, quiet, secret, probes)
    const api = createApi(hub.url, token)
    const started = await startsOf(api, quiet, probes)
    const { json: waiting } = await api('GET', `/jobs?connectionId=${chatty}&status=queued&limit=1`)
    const secondsUntilStart = ([externalId, at]: [string, number]): number =>
      ((started.get(externalId) ?? Number.NaN) - at) / 1_000
    const percentiles = percentilesOf([...acceptedAt].map(secondsUntilStart))
    await hub.stop()
    return { ...percentiles, left: (waiting as Job[]).length }
  } finally {
    await project.remove()
    await state.close()
  }
}

async function sendFlood (url: string, secret: string, connectionId: string, count: number): Promise<void> {
  const requests = prepareRequests({
    host: new URL(url).host,
    connectionIds: [connectionId],
    secret,
    count,
    bodyBytes,
    eventType: 'stock.changed'
  })
  const { accepted } = await sendLoad({ url, requests, sockets: 50, pipelining: 1, seconds: ingestSeconds })
  if (accepted !== count) throw new Error(`only ${accepted} of ${count} events were accepted`)
}

async function connect (api: ApiClient, shop: Server): Promise<string> {
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
