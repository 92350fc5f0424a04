import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  url: string
  /** Whole HTTP requests, each sent once. */
  requests: readonly Buffer[]
  sockets: number
  /** Requests under way on one socket. */
  pipelining: number
  seconds: number
}

export interface LoadResult {
  accepted: number
  refused: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

/**
 * Sends prepared requests over kept connections and counts the answers. It uses bare sockets: a
 * client that parses the answers would fill the second core and measure itself.
 */
export async function sendLoad ({ url, requests, sockets, pipelining, seconds }: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const queue = requests.values()
  const latencies: number[] = []
  const counts = { accepted: 0, refused: 0 }
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const driveOne = (): Promise<void> =>
    drive(connect(Number(port), hostname), { queue, pipelining, end, counts, latencies })
  await Promise.all(Array.from({ length: sockets }, driveOne))
  const elapsed = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const percentile = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return { ...counts, seconds: elapsed, p50Ms: percentile(0.5), p99Ms: percentile(0.99) }
}

interface Drive {
  queue: Iterator<Buffer>
  pipelining: number
  end: number
  counts: { accepted: number, refused: number }
  latencies: number[]
}

const statusLine = Buffer.from('HTTP/1.1 ')
const acceptedStatus = 202

function drive (socket: Socket, { queue, pipelining, end, counts, latencies }: Drive): Promise<void> {
  const sentAt: number[] = []
  socket.setNoDelay(true)

  function fill (): void {
    const batch: Buffer[] = []
    const now = performance.now()
    while (sentAt.length < pipelining && now < end) {
      const next = queue.next()
      if (next.done === true) break
      batch.push(next.value)
      sentAt.push(now)
    }
    if (batch.length > 0) socket.write(batch.length === 1 ? batch[0] ?? '' : Buffer.concat(batch))
    else if (sentAt.length === 0) socket.end()
  }

  return new Promise((resolve, reject) => {
    socket.once('connect', fill).once('error', reject).once('close', () => {
      resolve()
    })
    socket.on('data', data => {
      const now = performance.now()
      // No body of the hub's answers contains the status line, and in practice no packet ends
      // within it.
      for (let at = data.indexOf(statusLine); at !== -1; at = data.indexOf(statusLine, at + 9)) {
        const status = Number(data.toString('latin1', at + 9, at + 12))
        counts[status === acceptedStatus ? 'accepted' : 'refused'] += 1
        latencies.push(now - (sentAt.shift() ?? now))
      }
      fill()
    })
  })
}
