import { bucketCount, percentileOf } from './buckets.ts'
import { counters, durations, meaningOf, type Duration } from './names.ts'
import type { Figures } from './schemas.ts'
import { pointsOf, type Span } from './span.ts'
import type { SlotCount, SlotGauges } from './store.ts'

const shares = { P50: 0.5, P95: 0.95, P99: 0.99 } as const
const gauges = ['queued', 'waiting', 'running', 'oldestSeconds', 'drift'] as const

/**
 * Makes a column of each figure, with one value for each slot. A count without a row is 0. A
 * percentile of nothing, and a gauge that nobody read, is null. Names that a newer version counts
 * are left out.
 */
export function toColumns (
  span: Span,
  counts: readonly SlotCount[],
  samples: readonly SlotGauges[]
): Pick<Figures, 'step' | 'times' | 'series' | 'refused'> {
  const points = pointsOf(span)
  const slotOf = (at: number): number => Math.round((at - span.from) / span.step)
  const zeros = (): number[] => Array.from({ length: points }, () => 0)
  const counted = Object.fromEntries(counters.map(name => [name, zeros()]))
  const refused: Record<string, number[]> = {}
  const histograms = new Map<Duration, Map<number, number[]>>(durations.map(name => [name, new Map()]))

  function columnOf (name: string, slot: number): [number[], number] | undefined {
    const meaning = meaningOf(name)
    if (meaning === undefined) return undefined
    if ('counter' in meaning) return [counted[meaning.counter] ?? [], slot]
    if ('refusal' in meaning) return [refused[meaning.refusal] ??= zeros(), slot]
    const ofDuration = histograms.get(meaning.duration)
    const buckets = ofDuration?.get(slot) ?? Array.from({ length: bucketCount }, () => 0)
    ofDuration?.set(slot, buckets)
    return [buckets, meaning.bucket]
  }

  for (const { at, name, total } of counts) {
    const slot = slotOf(at)
    if (slot < 0 || slot >= points) continue
    const [column, position] = columnOf(name, slot) ?? []
    if (column !== undefined && position !== undefined) column[position] = (column[position] ?? 0) + total
  }
  const sampleOf = new Map(samples.map(sample => [slotOf(sample.at), sample]))
  return {
    step: span.step,
    times: Array.from({ length: points }, (_, slot) => span.from + slot * span.step),
    series: {
      ...counted,
      ...Object.fromEntries(durations.flatMap(name =>
        Object.entries(shares).map(([suffix, share]) => [
          name + suffix,
          Array.from({ length: points }, (_, slot) => percentileOf(histograms.get(name)?.get(slot) ?? [], share))
        ])
      )),
      ...Object.fromEntries(gauges.map(name => [
        name,
        Array.from({ length: points }, (_, slot) => sampleOf.get(slot)?.[name] ?? null)
      ]))
    } as Figures['series'],
    refused
  }
}
