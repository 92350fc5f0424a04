import type { FastifyError } from 'fastify'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HeadersTooLargeError, InvalidRequestError, RequestTimeoutError } from '../errors.ts'
import { toProblem } from './problem.ts'
import { responseHeaders } from './response-headers.ts'

/**
 * Answers a client that sends no valid HTTP or sends it too slowly, and closes the connection: the
 * bytes that follow cannot be trusted.
 */
export function answerClientError (error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { statusCode = 400, code, message } = describe(error.code)
  const requestId = randomUUID()
  const body = JSON.stringify(toProblem({ code, message, statusCode }, requestId))
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`)
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

function describe (code: string | undefined): FastifyError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError()
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError()
  return new InvalidRequestError('The request is not well-formed HTTP')
}
