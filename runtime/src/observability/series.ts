import { Counter, Histogram, Summary, type Registry } from 'prom-client'

export interface SeriesOptions {
  register: Registry
  name: string
  help: string
  labelNames: readonly string[]
}

/** Label values in the order of the label names. */
type Values = readonly string[]

/** The label value for names that are unknown, or that are more than the limit. */
export const other = 'other'

// Adapters report numbers, too. A bad number makes prom-client throw, or breaks a series for ever.
const isAddable = (value: number): boolean => Number.isFinite(value) && value >= 0

/**
 * Makes a counter that keeps its numbers in a map until a scrape: prom-client would check, sort and
 * join the labels at every increment.
 */
export function createCount ({ register, name, help, labelNames }: SeriesOptions): (
  values: Values,
  by?: number
) => void {
  const totals = new Map<string, { values: Values, total: number }>()
  const counter = new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [register],
    collect () {
      counter.reset()
      for (const { values, total } of totals.values()) counter.labels(...values).inc(total)
    }
  })
  return function count (values, by = 1) {
    if (!isAddable(by)) return
    const key = values.join('\n')
    const known = totals.get(key)
    if (known === undefined) totals.set(key, { values, total: by })
    else known.total += by
  }
}

export function createSeconds ({ register, labelNames, ...rest }: SeriesOptions & { buckets: readonly number[] }): (
  values: Values,
  seconds: number
) => void {
  return observeBy(new Histogram({
    ...rest,
    labelNames: [...labelNames],
    buckets: [...rest.buckets],
    registers: [register]
  }))
}

/**
 * Makes a summary for values whose unit and size nobody knows beforehand: it shows quantiles of the
 * last ten minutes.
 */
export function createSummary ({ register, labelNames, ...rest }: SeriesOptions): (
  values: Values,
  value: number
) => void {
  return observeBy(new Summary({
    ...rest,
    labelNames: [...labelNames],
    percentiles: [0.5, 0.9, 0.99],
    maxAgeSeconds: 600,
    ageBuckets: 5,
    registers: [register]
  }))
}

function observeBy (metric: { labels(...values: string[]): { observe(value: number): void } }): (
  values: Values,
  value: number
) => void {
  const children = new Map<string, { observe(value: number): void }>()
  return function observe (values, value) {
    if (!Number.isFinite(value)) return
    const key = values.join('\n')
    let child = children.get(key)
    if (child === undefined) {
      child = metric.labels(...values)
      children.set(key, child)
    }
    child.observe(value)
  }
}

/**
 * Returns a name as it is when it is one of `names`, else `unknown`: a name that anybody may send
 * must not become a series.
 */
export function createKnownNames (
  names: () => Iterable<string>,
  unknown: string
): { of(name: string): string, add(name: string): void } {
  const known = new Set<string>()
  return {
    add (name) {
      known.add(name)
    },
    of (name) {
      if (known.has(name)) return name
      for (const current of names()) known.add(current)
      return known.has(name) ? name : unknown
    }
  }
}

/**
 * Returns a name as it is when it has the form and its owner has at most `most` names, else
 * `other`: an adapter that invents names loses only its own series.
 */
export function createFewNames ({ form, most }: { form: RegExp, most: number }): (
  owner: string,
  name: string
) => string {
  const owners = new Map<string, Set<string>>()
  return function nameOf (owner, name) {
    let known = owners.get(owner)
    if (known === undefined) {
      known = new Set()
      owners.set(owner, known)
    }
    if (known.has(name)) return name
    if (known.size >= most || !form.test(name)) return other
    known.add(name)
    return name
  }
}
