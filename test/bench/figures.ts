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

/** Without it no figure can be read. */
export function describeMachine (): string {
  return `machine: ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load ${
    loadavg()[0]?.toFixed(1)
  } before; simulators, hub, Redis and PostgreSQL share it`
}
