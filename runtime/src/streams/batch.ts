export interface BatchOptions<Item, Result> {
  /** Most items of one run. */
  maxItems: number
  /** Runs at the same time. While all are busy, items gather for the next. */
  maxRunning: number
  /**
   * After the begin of a run, the next one waits this long for further calls, unless it is full or
   * `isMoreExpected` says that none will come soon. Default: no wait.
   */
  gather?: { ms: number, isMoreExpected(): boolean }
  /**
   * Most items that may wait. The batch refuses any further item, so that a stalled server cannot
   * fill the memory.
   */
  maxWaiting: number
  /**
   * Longest wait of a call. The batch then rejects the call, and leaves its item out unless the
   * item runs already. Default: no limit.
   */
  maxWaitMs?: number
  /**
   * Returns one result per item, in order. An `Error` among the results rejects the call of that
   * item only; a rejection of `run` rejects the calls of all its items.
   */
  run(items: readonly Item[]): Promise<readonly (Result | Error)[]>
}

export interface Batch<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves when nothing waits and nothing runs. */
  drained(): Promise<void>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Combines the calls of one turn of the event loop into one run, so that they share one round trip
 * to the server.
 */
export function createBatch<
  Item,
  Result
> ({ maxItems, maxRunning, gather, maxWaiting, maxWaitMs, run }: BatchOptions<Item, Result>): Batch<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isScheduled = false
  let isGathering = false
  const running = new Set<Promise<void>>()

  function schedule (): void {
    if (isScheduled || waiting.length === 0 || running.size >= maxRunning) return
    if (isGathering && waiting.length < maxItems && gather?.isMoreExpected() === true) return
    isScheduled = true
    setImmediate(flush)
  }

  function flush (): void {
    isScheduled = false
    startGathering()
    while (waiting.length > 0 && running.size < maxRunning) {
      const batch = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      const settled = settle(batch).finally(() => {
        running.delete(settled)
        schedule()
      })
      running.add(settled)
    }
  }

  function startGathering (): void {
    if (gather === undefined || isGathering) return
    isGathering = true
    setTimeout(() => {
      isGathering = false
      schedule()
    }, gather.ms).unref()
  }

  async function settle (batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index]
        if (result === undefined) reject(new TypeError(`a batch of ${batch.length} had ${results.length} results`))
        else if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    add (item) {
      if (waiting.length >= maxWaiting) {
        return Promise.reject(new Error(`${maxWaiting} calls are waiting for the server already`))
      }
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const call = { item, resolve, reject }
      waiting.push(call)
      schedule()
      return maxWaitMs === undefined ? promise : rejectAfter(maxWaitMs, promise, error => {
        waiting = waiting.filter(other => other !== call)
        reject(error)
      })
    },
    async drained () {
      while (waiting.length > 0 || running.size > 0) {
        flush()
        await Promise.all(running)
      }
    }
  }
}

// Not p-timeout: it makes an error with a stack for every call, and every webhook is one.
function rejectAfter<Result> (ms: number, promise: Promise<Result>, reject: (error: Error) => void): Promise<Result> {
  const timer = setTimeout(() => {
    reject(Object.assign(new Error(`the server did not accept the call within ${ms} ms`), { code: 'ETIMEDOUT' }))
  }, ms)
  return promise.finally(() => {
    clearTimeout(timer)
  })
}
