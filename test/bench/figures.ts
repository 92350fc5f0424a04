import { cpus, loadavg } from 'node:os'

export interface Percentiles {
  p50: number
  p99: number
  longest: number
}

export function percentilesOf (numbers: readonly number[]): Percentiles {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** A figure means nothing without the machine that it was measured on. */
export function describeMachine (sharers = 'simulators, hub, Redis and PostgreSQL'): string {
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const load = loadavg()[0]?.toFixed(1)
  return `machine: ${processors}, Node ${process.version}, load ${load} before; ${sharers} share it`
}
