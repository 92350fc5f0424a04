import { sampleProducts, startMktB, startShopA, type MktBOptions, type ShopAOptions } from '@linker/simulators'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'

interface Test {
  teardown: (close: () => unknown) => void
}

export const shopKey = '0123456789abcdef0123456789abcdef'
export const basic = (user: string) => `Basic ${Buffer.from(`${user}:`).toString('base64')}`

/** Makes a clock that stands still until a test moves it. */
export function createClock (start: string) {
  let now = new Date(start)
  return {
    now: () => now,
    set: (time: string) => {
      now = new Date(time)
    },
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms)
    }
  }
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: () => unknown
}

export interface Sending {
  method?: string
  headers?: Record<string, string>
  body?: string
}

export async function send (url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answer> {
  const response = await request(url, { method, headers, body: body ?? null })
  const text = await response.body.text()
  return { status: response.statusCode, headers: response.headers, text, json: () => JSON.parse(text) }
}

/**
 * Opens a shop with the sample products until its test ends. `get` reads JSON, `write` sends XML
 * and reads JSON.
 */
export async function openShop (t: Test, options: Partial<ShopAOptions> = {}) {
  const shop = await startShopA({ apiKey: shopKey, products: sampleProducts, ...options })
  t.teardown(shop.close)
  const headers = { authorization: basic(shopKey), 'output-format': 'JSON' }

  function get (path: string, more: Record<string, string> = {}) {
    return send(`${shop.apiUrl}${path}`, { headers: { ...headers, ...more } })
  }

  function write (method: string, path: string, body: string) {
    return send(`${shop.apiUrl}${path}`, { method, headers: { ...headers, 'content-type': 'text/xml' }, body })
  }

  return { shop, get, write }
}

export async function openMarket (t: Test, options: Partial<MktBOptions> = {}) {
  const market = await startMktB({ apiKey: 'market-key', lagMs: 0, ...options })
  t.teardown(market.close)

  function call (method: string, path: string, body?: unknown) {
    const headers = { authorization: 'Bearer market-key' }
    if (body === undefined) return send(`${market.baseUrl}${path}`, { method, headers })
    return send(`${market.baseUrl}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  }

  return { market, call }
}

export interface ReceivedWebhook {
  url: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * Opens a hub that keeps the raw bytes that it receives. `status` decides each answer; without a
 * number the request stays open.
 */
export async function openHub (t: Test, status: (count: number) => number | undefined = () => 202) {
  const received: ReceivedWebhook[] = []
  const arrivals = new Set<() => void>()
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    received.push({ url: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks) })
    for (const arrived of arrivals) arrived()
    const code = status(received.length)
    if (code !== undefined) response.writeHead(code, { location: '/elsewhere' }).end()
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise(resolve => {
      server.close(resolve)
    })
  })

  function arrival (): Promise<void> {
    return new Promise(resolve => {
      const arrived = () => {
        arrivals.delete(arrived)
        resolve()
      }
      arrivals.add(arrived)
    })
  }

  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, arrival }
}

export const connectionId = '123e4567-e89b-12d3-a456-426614174000'
export const secret = 'test-secret'

/** Opens a shop in UTC+1 with a clock at 12:00:31, and the hub that its sender posts to. */
export async function openSender (t: Test, status?: (count: number) => number | undefined) {
  const clock = createClock('2025-01-01T11:00:31.000Z')
  const hub = await openHub(t, status)
  const { shop, write } = await openShop(t, { now: clock.now })
  const configuration = { baseUrl: hub.url, connectionId, secret }
  shop.sender.configure(configuration)
  return { clock, hub, shop, write, configuration }
}

export function eventOf (webhook: ReceivedWebhook | undefined) {
  return JSON.parse(webhook?.body.toString() ?? '')
}

/** Returns the error codes in an answer of the shop. */
export function codes (answer: Answer): unknown {
  const body = answer.json()
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return body
  return body.errors.map(({ code }) => code)
}
