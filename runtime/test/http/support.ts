import cookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { Test } from 'tap'
import accessLog from '../../src/http/access-log.ts'
import authentication, { type Caller } from '../../src/http/authentication.ts'
import problemJson from '../../src/http/problem-json.ts'
import responseHeaders from '../../src/http/response-headers.ts'
import { serverOptions } from '../../src/http/server-options.ts'
import { hashToken } from '../../src/http/token-hash.ts'

export const token = 'a-token-of-the-tests-with-enough-characters'
export const authorized = { authorization: `Bearer ${token}` }

export interface LogLine {
  level: number
  msg: string
  requestId?: string
  [member: string]: unknown
}

export interface HttpApp {
  app: FastifyInstance
  log: LogLine[]
}

export interface HttpAppOptions {
  routes?: (app: FastifyInstance) => void | Promise<void>
  /** Options of the server that replace those of the hub. */
  server?: object
  level?: string
  nowMs?: () => number
  /** Named tokens, by themselves. */
  tokens?: Readonly<Record<string, Caller | 'ended'>>
}

/**
 * Makes a server like that of the hub, with the routes of a test. Closes it at the end of the test.
 */
export async function buildHttpApp (
  t: Test,
  { routes = () => undefined, server = {}, level = 'info', nowMs = () => 0, tokens = {} }: HttpAppOptions = {}
): Promise<HttpApp> {
  const log: LogLine[] = []
  const lines = new Writable({
    write (line: Buffer, _encoding, done) {
      log.push(JSON.parse(line.toString()) as LogLine)
      done()
    }
  })
  const loggerInstance: FastifyBaseLogger = pino({ level }, lines)
  const app: FastifyInstance = Fastify({
    ...serverOptions,
    ...server,
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
  })
  t.teardown(() => app.close())
  await app.register(problemJson, { nowMs })
  await app.register(responseHeaders)
  await app.register(cookie, { hook: false })
  const byHash = new Map(Object.entries(tokens).map(([text, caller]) => [hashToken(text), caller]))
  await app.register(authentication, { ownTokens: () => [token], findToken: async hash => byHash.get(hash), nowMs })
  await app.register(accessLog, { nowMs })
  await app.register(async scope => {
    await routes(scope)
  })
  return { app, log }
}

/**
 * Writes bytes to a server, and returns everything that the server sent until it closed the
 * connection.
 */
export async function sendRaw (
  app: FastifyInstance,
  parts: readonly (string | Buffer)[],
  { isHeldOpen = false } = {}
): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const socket = connect(typeof address === 'object' ? address?.port ?? 0 : 0, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', chunk => {
    received.push(chunk)
  })
  // A server that refuses a request closes the socket while the test still writes the rest. The
  // answer comes before the reset, for which `events.once` would reject.
  socket.on('error', () => undefined)
  const closed = new Promise(resolve => socket.once('close', resolve))
  for (const part of parts) socket.write(part)
  if (!isHeldOpen) socket.end()
  await closed
  return Buffer.concat(received).toString('latin1')
}

/** Status line and body of the first answer in what `sendRaw` received. */
export function parseRaw (text: string): { status: number, headers: string, body: string } {
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.slice(9, 12)), headers: text.slice(0, end), body: text.slice(end + 4) }
}
