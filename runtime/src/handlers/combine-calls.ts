import { asError } from '../as-error.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { createBatch, type Batch } from '../streams/batch.ts'
import type { HandledJob } from './kept-effects.ts'

/** A call that a job wants to make to the adapter of its connection. */
export interface Wanted {
  job: HandledJob
  opened: OpenConnection
}

export interface CombinedCalls<Item extends Wanted, Result> {
  /**
   * Announces that a job will add something soon, so that calls of its connection wait a little for
   * it. Returns the function that ends the wait.
   */
  expect(connectionId: string | null): () => void
  add(item: Item): Promise<Result>
}

/** One result per item, in order. An `Error` concerns only its own item. */
export type RunCombined<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>

interface Approach {
  count: number
  window?: PromiseWithResolvers<void>
}

const longestWindowMs = 3
const mostWaiting = 10_000

/**
 * Combines the calls of several jobs of one connection into one: of jobs that have announced
 * themselves, and of jobs that come while another call runs. A job that is alone does not wait.
 */
export function createCombinedCalls<Item extends Wanted, Result> (
  maxItems: number,
  run: RunCombined<Item, Result>
): CombinedCalls<Item, Result> {
  const approaches = new Map<string, Approach>()
  const batches = new Map<string, { batch: Batch<Item, Result>, pending: number }>()

  function expect (connectionId: string | null): () => void {
    const key = connectionId ?? ''
    const approach: Approach = approaches.get(key) ?? { count: 0 }
    approaches.set(key, approach)
    approach.count += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      approach.count -= 1
      if (approach.count > 0) return
      approaches.delete(key)
      approach.window?.resolve()
    }
  }

  function others (connectionId: string): Promise<void> | undefined {
    const approach = approaches.get(connectionId)
    if (approach === undefined) return undefined
    if (approach.window === undefined) {
      const window = approach.window = Promise.withResolvers<void>()
      const timer = setTimeout(window.resolve, longestWindowMs)
      window.promise.then(() => {
        clearTimeout(timer)
        delete approach.window
      })
    }
    return approach.window.promise
  }

  return {
    expect,
    async add (item) {
      const { snapshot, adapter } = item.opened
      await others(snapshot.id)
      const key = `${snapshot.id}:${snapshot.version}:${adapter.version}`
      const gathered = batches.get(key) ??
        {
          batch: createBatch({ maxItems, maxRunning: 1, maxWaiting: mostWaiting, run: leaveOutAborted(run) }),
          pending: 0
        }
      batches.set(key, gathered)
      gathered.pending += 1
      try {
        return await gathered.batch.add(item)
      } finally {
        gathered.pending -= 1
        if (gathered.pending === 0) batches.delete(key)
      }
    }
  }
}

// Another worker may have claimed an aborted job; writing its value now could undo a newer one.
function leaveOutAborted<Item extends Wanted, Result> (run: RunCombined<Item, Result>): RunCombined<Item, Result> {
  return async items => {
    const wanted = items.filter(({ job }) => !job.signal.aborted)
    const results = wanted.length === 0 ? [] : await run(wanted)
    const found = new Map(wanted.map((item, index) => [item, results[index]]))
    return items.map(item => found.get(item) ?? asError(item.job.signal.reason))
  }
}

/**
 * Makes one job of several for a combined call. The call goes on while one of its jobs does, and
 * carries a request id that all of them share. Its effects are kept with each job that succeeds,
 * because any one of them may fail by itself. Each job shows its requests.
 */
export function jobOf (wanted: readonly Wanted[]): HandledJob {
  const jobs = wanted.map(({ job }) => job)
  const [first] = jobs
  if (first === undefined) throw new TypeError('a call of no job')
  const controller = new AbortController()
  let left = jobs.length
  function leave (): void {
    left -= 1
    if (left === 0) controller.abort(first?.signal.reason)
  }
  for (const { signal } of jobs) {
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  const { requestId } = first
  return {
    ...first,
    requestId: jobs.every(job => job.requestId === requestId) ? requestId : undefined,
    signal: controller.signal,
    deadline: Math.max(...jobs.map(({ deadline }) => deadline)),
    servedBy (adapter) {
      for (const job of jobs) job.servedBy(adapter)
    },
    noteCall: first.noteCall === undefined ? undefined : call => {
      for (const job of jobs) job.noteCall?.(call)
    },
    keep (connectionId, effects, calledAs) {
      for (const job of jobs) job.keep(connectionId, effects, calledAs)
    }
  }
}
