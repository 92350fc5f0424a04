import { bucketOf } from './buckets.ts'
import { bucketNames, isTime, lastNames, refusalName, type Counter, type Duration } from './names.ts'

/** The counts of one connection. Without an id: those that belong to none. */
export interface Counted {
  connectionId: string | null
  /** The adapter that served the connection last. */
  adapter: string | null
  counts: Record<string, number>
}

export interface CountingOptions {
  /** Called with the first count after `take`. */
  onFirst(): void
  /** Connections beyond this number are counted with what belongs to none. */
  mostConnections?: number
}

/** The counts of one process. Counting costs well below a microsecond, and nothing here throws. */
export interface Counting {
  count(connectionId: string | null, counter: Counter): void
  /** Counts a request to a platform. */
  upstream(connectionId: string, adapter: string, attempt: { status?: number, durationMs: number }): void
  /** Keeps when a job of the connection succeeded or failed last; `code`: that of the failure. */
  ran(connectionId: string | null, run: { hasFailed: boolean, code: string | undefined, at: Date }): void
  /** Counts a written quantity. `ms`: since the webhook that led to it; undefined without one. */
  stockWritten(connectionId: string, ms: number | undefined): void
  /** Counts a delivery that was refused with this code. */
  refused(connectionId: string | null, code: string): void
  /** Returns what was counted since the last call, and forgets it. */
  take(): Counted[]
  /** Adds what `take` returned and nobody could store. */
  giveBack(counted: readonly Counted[]): void
}

interface Tally {
  adapter: string | null
  counts: Map<string, number>
}

const defaultMost = 10_000
// A connection may be refused for every code of the hub, which are more.
const mostNames = 120
const otherRefusals = refusalName('other')

export function createCounting ({ onFirst, mostConnections = defaultMost }: CountingOptions): Counting {
  const tallies = new Map<string, Tally>()
  let rest = newTally()
  let isEmpty = true

  function tallyOf (connectionId: string | null): Tally {
    if (isEmpty) {
      isEmpty = false
      onFirst()
    }
    if (connectionId === null) return rest
    const known = tallies.get(connectionId)
    if (known !== undefined) return known
    if (tallies.size >= mostConnections) return rest
    const tally = newTally()
    tallies.set(connectionId, tally)
    return tally
  }

  return {
    count (connectionId, counter) {
      add(tallyOf(connectionId), counter)
    },
    upstream (connectionId, adapter, { status, durationMs }) {
      const tally = tallyOf(connectionId)
      if (tally !== rest) tally.adapter = adapter
      add(tally, classOf(status))
      measure(tally, 'upstream', durationMs)
    },
    ran (connectionId, { hasFailed, code, at }) {
      const tally = tallyOf(connectionId)
      // The sum of all connections has no last run: nobody reads it.
      if (tally === rest) return
      add(tally, hasFailed ? lastNames.failure : lastNames.success, at.getTime())
      if (!hasFailed || code === undefined) return
      const name = lastNames.failureWith(code)
      if (tally.counts.size < mostNames || tally.counts.has(name)) add(tally, name, at.getTime())
    },
    stockWritten (connectionId, ms) {
      const tally = tallyOf(connectionId)
      add(tally, 'stockWrites')
      if (ms !== undefined) measure(tally, 'written', ms)
    },
    refused (connectionId, code) {
      const tally = tallyOf(connectionId)
      add(tally, 'webhooksRefused')
      const name = refusalName(code)
      add(tally, tally.counts.size < mostNames || tally.counts.has(name) ? name : otherRefusals)
    },
    take () {
      const counted = [...tallies].map(([connectionId, tally]) => toCounted(connectionId, tally))
      if (rest.counts.size > 0) counted.push(toCounted(null, rest))
      tallies.clear()
      rest = newTally()
      isEmpty = true
      return counted
    },
    giveBack (counted) {
      for (const { connectionId, adapter, counts } of counted) {
        const tally = tallyOf(connectionId)
        tally.adapter ??= adapter
        for (const [name, by] of Object.entries(counts)) add(tally, name, by)
      }
    }
  }
}

function newTally (): Tally {
  return { adapter: null, counts: new Map() }
}

function toCounted (connectionId: string | null, { adapter, counts }: Tally): Counted {
  return { connectionId, adapter, counts: Object.fromEntries(counts) }
}

function add ({ counts }: Tally, name: string, by = 1): void {
  const before = counts.get(name) ?? 0
  counts.set(name, isTime(name) ? Math.max(before, by) : before + by)
}

function measure (tally: Tally, duration: Duration, ms: number): void {
  const name = bucketNames[duration][bucketOf(ms)]
  if (name !== undefined) add(tally, name)
}

/** An answer may carry any number as its status. */
function classOf (status = 0): Counter {
  if (status === 429) return 'upstream429'
  if (status >= 500 && status < 600) return 'upstream5xx'
  if (status >= 400 && status < 500) return 'upstream4xx'
  if (status >= 300 && status < 400) return 'upstream3xx'
  return status >= 100 && status < 300 ? 'upstream2xx' : 'upstreamNone'
}

/** Returns the sum of everything counted, without the times of the last runs. */
export function sumOf (counted: readonly Counted[]): Counted {
  const total = newTally()
  for (const { counts } of counted) {
    for (const [name, by] of Object.entries(counts)) if (!isTime(name)) add(total, name, by)
  }
  return toCounted(null, total)
}
