import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { happens } from './chance.ts'
import { matches, pathOf, type RequestMatch } from './request-log.ts'

/**
 * A fault for the next `times` requests that match. A request meets one fault at most: the one that
 * was added first.
 */
export interface Fault extends RequestMatch {
  /** How many requests it hits; `Infinity` until `clear`. Default 1. */
  times?: number
  /** Probability that the fault hits a request that matches. Default 1. */
  chance?: number
  /** Holds the request this long first. */
  delayMs?: number
  /** Holds the request until this promise settles. */
  until?: Promise<unknown>
  /**
   * Replaces the simulator's own answer. A text body is HTML unless `headers` say otherwise, an
   * object is JSON.
   */
  answer?: { status: number, headers?: Record<string, string>, body?: string | object }
  /** Resets the connection instead of answering. */
  reset?: true
  /**
   * `before` (default): the simulator does not handle the request. `after`: it handles the request,
   * stores a write, and only the answer is lost or replaced.
   */
  when?: 'before' | 'after'
}

export function createFaults (closing: AbortSignal, random: () => number) {
  const faults: Array<{ fault: Fault, left: number }> = []
  const hit = new WeakMap<FastifyRequest, Fault>()

  function add (fault: Fault): void {
    if ([fault.delayMs, fault.until, fault.answer, fault.reset].every(what => what === undefined)) {
      throw new TypeError('a fault needs one of delayMs, until, answer and reset')
    }
    if (fault.answer !== undefined && fault.reset !== undefined) {
      throw new TypeError('a fault cannot both answer and reset')
    }
    const left = fault.times ?? 1
    if (left !== Number.POSITIVE_INFINITY && (!Number.isInteger(left) || left < 1)) {
      throw new TypeError(`times must be a positive integer, not ${left}`)
    }
    faults.push({ fault, left })
  }

  /** Returns how many requests the faults will still hit. */
  function pending (): number {
    return faults.reduce((sum, { left }) => sum + left, 0)
  }

  function clear (): void {
    faults.length = 0
  }

  async function beforeHandling (request: FastifyRequest, reply: FastifyReply) {
    const path = pathOf(request)
    const isHit = ({ chance, ...match }: Fault): boolean =>
      matches(match, request.method, path) && (chance === undefined || happens(chance, random))
    const found = faults.find(({ fault }) => isHit(fault))
    if (found === undefined) return
    found.left -= 1
    if (found.left === 0) faults.splice(faults.indexOf(found), 1)
    const { fault } = found
    if (fault.delayMs !== undefined) await delay(fault.delayMs, undefined, { signal: closing })
    if (fault.until !== undefined) await settledOrClosing(fault.until)
    if (fault.answer === undefined && fault.reset === undefined) return
    hit.set(request, fault)
    // An answer here skips the handler. onAnswer, which sees every answer, then replaces the empty
    // text.
    if (fault.when !== 'after') return reply.send('')
  }

  function settledOrClosing (awaited: Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(new Error('the simulator closes'))
      }
      const settle = (): void => {
        closing.removeEventListener('abort', stop)
        resolve()
      }
      closing.addEventListener('abort', stop, { once: true })
      if (closing.aborted) stop()
      awaited.then(settle, settle)
    })
  }

  function onAnswer (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const fault = hit.get(request)
    if (fault === undefined) return payload
    if (fault.answer === undefined) {
      request.raw.socket.resetAndDestroy()
      return payload
    }
    const { status, headers = {}, body = '' } = fault.answer
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
    reply.code(status).type(typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
      .headers(headers)
    return typeof body === 'string' ? body : JSON.stringify(body)
  }

  return { faults: { add, pending, clear }, beforeHandling, onAnswer }
}

export type Faults = ReturnType<typeof createFaults>['faults']
