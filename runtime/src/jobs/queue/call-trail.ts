import type { KeptCalls, UpstreamCall } from '../job.ts'

/** Which attempts of a job keep their requests to platforms. */
export type Tracing = 'all' | 'failures' | 'off'

/** The requests of one run, in the order in which they ended. */
export interface CallTrail {
  note(call: UpstreamCall): void
  /** The requests to keep with the attempt; undefined when there are none. */
  kept(ending: 'succeeded' | 'failed'): KeptCalls | undefined
}

const mostOf = { succeeded: 8, failed: 20 }
const half = mostOf.failed / 2

/** Remembers the first and the last requests of a run; a sweep sends thousands. */
export function createCallTrail (tracing: Exclude<Tracing, 'off'>): CallTrail {
  const first: UpstreamCall[] = []
  const last: UpstreamCall[] = []
  let total = 0
  return {
    note (call) {
      total += 1
      if (first.length < half) first.push(call)
      else {
        last.push(call)
        if (last.length > half) last.shift()
      }
    },
    kept (ending) {
      if (total === 0 || (tracing === 'failures' && ending === 'succeeded')) return undefined
      const most = mostOf[ending]
      const all = [...first, ...last]
      if (total <= most) return { calls: all }
      return { calls: [...all.slice(0, most / 2), ...all.slice(-most / 2)], callsLeftOut: total - most }
    }
  }
}
