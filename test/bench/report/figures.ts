import { cpus, loadavg } from 'node:os'

/** The figures of one run. Each benchmark chooses their names. */
export type Figures<Name extends string = string> = Readonly<Record<Name, number>>

/** A figure over all runs. */
export interface Spread {
  median: number
  least: number
  most: number
}

export type Spreads<Name extends string = string> = Readonly<Record<Name, Spread>>

export interface Percentiles {
  p50: number
  p99: number
  longest: number
}

export function percentilesOf (numbers: readonly number[]): Percentiles {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}

export function spreadOf (numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN
  }
}

/** The spread of each figure of the runs. */
export function spreadsOf<Name extends string> (runs: readonly Figures<Name>[]): Spreads<Name> {
  const names = Object.keys(runs[0] ?? {}) as Name[]
  return Object.fromEntries(names.map(name => [name, spreadOf(runs.map(run => run[name]))])) as Spreads<Name>
}

/** Measures so many times, one after the other. */
export async function repeat<Name extends string> (
  runs: number,
  measure: () => Promise<Figures<Name>>
): Promise<Spreads<Name>> {
  const figures: Figures<Name>[] = []
  while (figures.length < runs) figures.push(await measure())
  return spreadsOf(figures)
}

export interface Machine {
  processors: string
  node: string
  /** The load average of the last minute. */
  load: number
}

/** A figure means nothing without the machine that it was measured on. */
export function readMachine (): Machine {
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    load: Number((loadavg()[0] ?? Number.NaN).toFixed(1))
  }
}
