import type { AdapterError, HttpClientOptions } from '@linker/sdk'
import { createAddressPolicy, createHttpClientFactory, type HttpHost, type HttpRequestEvent } from '@linker/sdk/host'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { mock } from 'node:test'
import type { Test } from 'tap'

export interface Upstream {
  baseUrl: string
  port: number
  requests: { method: string, url: string, headers: IncomingMessage['headers'], body: string }[]
}

/** A platform on 127.0.0.1 that records its requests. It ends with its test. */
export async function startUpstream (t: Test, answer: RequestListener): Promise<Upstream> {
  const requests: Upstream['requests'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString()
      })
      answer(request, response)
    })
  })
  const port = await listen(server)
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${port}`, port, requests }
}

/** A TCP server for answers that node:http cannot send. */
export async function startRawUpstream (
  t: Test,
  onConnection: (socket: Socket) => void
): Promise<{ baseUrl: string, port: number }> {
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  const port = await listen(server)
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { baseUrl: `http://127.0.0.1:${port}`, port }
}

async function listen (server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Stops the timers until the test lets time pass. */
export function stopTime (t: Test): { pass(ms: number): void } {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  return {
    pass (ms) {
      mock.timers.tick(ms)
    }
  }
}

/** A client that may connect to 127.0.0.1, with the events of its attempts. */
export function createClient (t: Test, options: HttpClientOptions, host: Partial<HttpHost> = {}) {
  const events: HttpRequestEvent[] = []
  const factory = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: ['127.0.0.1/32'] }),
    currentCall: () => undefined,
    onRequest: event => {
      events.push(event)
    },
    ...host
  })
  t.teardown(factory.close)
  return { client: factory.http(options), events, close: factory.close }
}

/** Returns the SDK error that `promise` rejects with; fails when it resolves. */
export async function failureOf (promise: Promise<unknown>): Promise<AdapterError> {
  try {
    await promise
  } catch (error) {
    return error as AdapterError
  }
  throw new Error('the request succeeded')
}
