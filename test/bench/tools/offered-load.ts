import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface OfferedLoad {
  url: string
  /** Whole HTTP requests, each sent once. */
  requests: readonly Buffer[]
  sockets: number
  perSecond: number
  /** How long the answers may take after the last request. */
  longestMs: number
}

export interface Answers {
  /** How many answers had each status. */
  statuses: ReadonlyMap<number, number>
  /** Answers 503 that say when to come again. */
  withRetryAfter: number
  unanswered: number
  /** Requests that found no idle socket in time and were not sent. */
  late: number
  /** Sockets that the server ended, with the requests on them. */
  brokenSockets: number
}

const stepMs = 5
const statusAt = 'HTTP/1.1 '.length

/**
 * Sends requests at a rate, whether or not the server keeps up, one at a time on a socket. While
 * all sockets wait for an answer, further requests are late.
 */
export async function offerLoad ({ url, requests, sockets, perSecond, longestMs }: OfferedLoad): Promise<Answers> {
  const { hostname, port } = new URL(url)
  const statuses = new Map<number, number>()
  const counts = { withRetryAfter: 0, answered: 0, brokenSockets: 0 }
  const idle: Socket[] = []
  const open: Socket[] = []

  function count (data: Buffer): void {
    const status = Number(data.toString('latin1', statusAt, statusAt + 3))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    counts.answered += 1
    if (status === 503 && data.includes('retry-after:')) counts.withRetryAfter += 1
  }

  while (open.length < sockets) {
    const socket = connect(Number(port), hostname).setNoDelay(true)
    await once(socket, 'connect')
    // An answer is so small that it comes as one piece.
    socket.on('data', data => {
      count(data)
      idle.push(socket)
    }).on('error', () => undefined).on('close', () => {
      counts.brokenSockets += 1
    })
    open.push(socket)
    idle.push(socket)
  }
  const startedAt = performance.now()
  for (let sent = 0; sent < requests.length;) {
    const due = Math.min(requests.length, Math.floor((performance.now() - startedAt) * perSecond / 1_000))
    for (; sent < due && idle.length > 0; sent += 1) idle.pop()?.write(requests[sent] ?? '')
    await wait(stepMs)
    if (performance.now() - startedAt > longestMs) break
  }
  const end = performance.now() + longestMs
  while (idle.length + counts.brokenSockets < sockets && performance.now() < end) await wait(stepMs)
  const { withRetryAfter, answered, brokenSockets } = counts
  const unanswered = sockets - idle.length
  for (const socket of open) socket.removeAllListeners('close').destroy()
  return { statuses, withRetryAfter, brokenSockets, unanswered, late: requests.length - answered - unanswered }
}
