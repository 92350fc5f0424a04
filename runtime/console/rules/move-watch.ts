import type { Schemas } from '@linker/client'

type Figures = Schemas['Figures']
type Counted = 'jobsSucceeded' | 'jobsPutBack' | 'jobsDead' | 'stockWrites'

/** How long a move is watched, and as long before it is looked back. */
export const watchedMs = 30 * 60_000

export interface Half {
  succeeded: number
  failed: number
  writes: number
  /** The slowest 95th percentile of a minute, in ms. Null: there was no request. */
  latencyMs: number | null
}

/** Whether a move is so young that somebody watches it. */
export function isWatched (movedAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(movedAt) < watchedMs
}

/** The figures of a connection before and after a move. */
export function splitAt (movedAt: string, { times, series }: Figures): { before: Half, after: Half } {
  const movedSeconds = Date.parse(movedAt) / 1_000
  const half = (isAfter: boolean): Half => {
    const slots = times.flatMap((time, index) => time >= movedSeconds === isAfter ? [index] : [])
    const sum = (name: Counted): number => slots.reduce((total, index) => total + (series[name][index] ?? 0), 0)
    const latencies = slots.flatMap(index => series.upstreamP95[index] ?? [])
    return {
      succeeded: sum('jobsSucceeded'),
      failed: sum('jobsPutBack') + sum('jobsDead'),
      writes: sum('stockWrites'),
      latencyMs: latencies.length === 0 ? null : Math.max(...latencies)
    }
  }
  return { before: half(false), after: half(true) }
}
