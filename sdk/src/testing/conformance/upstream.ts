import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Answer } from './scenarios.ts'

/** One request that reached the suite's platform. */
export interface Arrival {
  /** The id of the call that sent it; undefined for a request that bypassed `context.http`. */
  callId: string | undefined
  method: string
  /** The path without the query. */
  path: string
  socket: Socket
}

export interface Upstream {
  /** `http://127.0.0.1:<port>`. */
  origin: string
  arrivals: readonly Arrival[]
  close(): Promise<void>
}

/**
 * Starts a platform that gives every request the same answer. Calls `onArrival` before it answers.
 */
export async function startUpstream (
  answer: Answer,
  onArrival: (arrival: Arrival) => void = () => undefined
): Promise<Upstream> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', (chunk: Buffer) => {
      body.push(chunk)
    })
    request.once('end', () => {
      const arrival = arrivalOf(request)
      arrivals.push(arrival)
      onArrival(arrival)
      reply(answer, request, response, Buffer.concat(body).toString())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    async close () {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

function arrivalOf (request: IncomingMessage): Arrival {
  const callId = request.headers['x-request-id']
  return {
    callId: typeof callId === 'string' ? callId : undefined,
    method: request.method ?? '',
    path: (request.url ?? '').split('?', 1)[0] ?? '',
    socket: request.socket
  }
}

function reply (answer: Answer, request: IncomingMessage, response: ServerResponse, body: string): void {
  switch (answer.kind) {
    case 'silent':
      return
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'stalled':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"items":[')
      return
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' })
      pour(response)
      return
    case 'quote':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        .end(quote(request, body))
      return
    case 'answer':
      response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers }).end(answer.body)
  }
}

const chunk = ' '.repeat(65_536)

function pour (response: ServerResponse): void {
  while (!response.destroyed && response.write(chunk)) { /* until its buffer is full */ }
  if (!response.destroyed) {
    response.once('drain', () => {
      pour(response)
    })
  }
}

/**
 * Quotes the whole request, in the members that adapters read. Some platforms do this when they
 * refuse a request.
 */
function quote ({ headers, method, url }: IncomingMessage, body: string): string {
  const text = `refused ${method ?? ''} ${url ?? ''} ${
    Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`).join(' ')
  } ${body}`
  return JSON.stringify({
    code: 'conformance',
    message: text,
    error: 'conformance',
    error_description: text,
    errors: [{ code: 'conformance', message: text, path: 'field' }]
  })
}
