import { setTimeout as wait } from 'node:timers/promises'
import { jobTypes, postJob, type ThrottledLine } from './throttled-line.ts'

const connections = 20
const postEveryMs = 500
/** How long the last jobs may take to begin. */
const lastOnesMs = 10_000

export interface Others {
  /**
   * Stops the work and returns, for each job, the milliseconds from before the request to the API
   * until its first request arrived at the marketplace. Infinity: it did not arrive.
   */
  end(): Promise<number[]>
}

/** Lets other connections to the same marketplace run a job every half second. */
export async function runOthers (line: ThrottledLine): Promise<Others> {
  const ended = new AbortController()
  const accounts = await Promise.all(Array.from({ length: connections }, async (_, index) => {
    const name = `calm-${index}`
    return { name, id: await line.connect(name), postedAt: new Map<string, number>() }
  }))

  async function post ({ id, postedAt }: typeof accounts[number], index: number): Promise<void> {
    await wait(index * postEveryMs / connections)
    while (!ended.signal.aborted) {
      const job = String(postedAt.size)
      postedAt.set(job, performance.now())
      await postJob(line.call, { connectionId: id, jobType: jobTypes[1], name: job })
      await wait(postEveryMs)
    }
  }

  function startDelays (): number[] {
    return accounts.flatMap(({ name, postedAt }) => {
      const arrivedAt = new Map(line.market.arrivals(name).toReversed().map(({ job, atMs }) => [job, atMs]))
      return [...postedAt].map(([job, atMs]) => (arrivedAt.get(job) ?? Number.POSITIVE_INFINITY) - atMs)
    })
  }

  const posting = Promise.all(accounts.map(post))
  // `end` shows the error.
  posting.catch(() => undefined)
  return {
    async end () {
      ended.abort()
      await posting
      const latest = performance.now() + lastOnesMs
      while (startDelays().some(delay => !Number.isFinite(delay)) && performance.now() < latest) await wait(100)
      return startDelays()
    }
  }
}
