import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface OfferedLoad {
  url: string
  /** Whole HTTP requests, each sent once. */
  requests: readonly Buffer[]
  sockets: number
  perSecond: number
  /** How much longer than planned the sending may take, and then the answers. */
  longestMs: number
}

export interface Answers {
  /** How many answers had each status. */
  statuses: ReadonlyMap<number, number>
  /** Answers 503 that say when to come again. */
  withRetryAfter: number
  unanswered: number
  /** From the first request to the last one. */
  sendingSeconds: number
  /** From the first request to the last answer. */
  answeringSeconds: number
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
  const counts = { withRetryAfter: 0, brokenSockets: 0 }
  let idle: Socket[] = []
  let lastAnswerAt = 0
  const open: Socket[] = []

  function count (data: Buffer): void {
    const status = Number(data.toString('latin1', statusAt, statusAt + 3))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    lastAnswerAt = performance.now()
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
      idle = idle.filter(other => other !== socket)
      counts.brokenSockets += 1
    })
    open.push(socket)
    idle.push(socket)
  }
  const startedAt = performance.now()
  const latest = startedAt + 1_000 * requests.length / perSecond + longestMs
  for (let sent = 0; sent < requests.length;) {
    const due = Math.min(requests.length, Math.floor((performance.now() - startedAt) * perSecond / 1_000))
    // All sockets in turn: a server closes one on which no request came for some seconds.
    for (; sent < due && idle.length > 0; sent += 1) idle.shift()?.write(requests[sent] ?? '')
    await wait(stepMs)
    if (performance.now() > latest) throw new Error(`only ${sent} of ${requests.length} requests found an idle socket`)
  }
  const sentAt = performance.now()
  while (idle.length + counts.brokenSockets < sockets && performance.now() < sentAt + longestMs) await wait(stepMs)
  const unanswered = sockets - idle.length
  for (const socket of open) socket.removeAllListeners('close').destroy()
  return {
    ...counts,
    statuses,
    unanswered,
    sendingSeconds: (sentAt - startedAt) / 1_000,
    answeringSeconds: (lastAnswerAt - startedAt) / 1_000
  }
}
