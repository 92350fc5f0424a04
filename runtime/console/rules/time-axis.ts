/** A length of time in which something happened. One moment: both are the same. */
export interface Span {
  fromMs: number
  toMs: number
}

export interface TimeAxis {
  /** The place of a time, from 0 to `width`. */
  placeOf(ms: number): number
  /** Where a long pause is drawn short, and how long it is. */
  breaks: readonly { place: number, ms: number }[]
}

const leastPauseMs = 50

/**
 * Makes an axis on which a pause of minutes between two attempts does not squeeze requests of
 * milliseconds: a pause longer than all work together is drawn as half of that.
 */
export function axisOf (spans: readonly Span[], width: number): TimeAxis {
  const merged = mergeSpans(spans)
  const workMs = merged.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const shortMs = Math.max(leastPauseMs, workMs / 2)
  const parts: (Span & { at: number, drawnMs: number })[] = []
  const pauses: { at: number, ms: number }[] = []
  let at = 0
  let endMs = merged[0]?.fromMs ?? 0
  for (const { fromMs, toMs } of merged) {
    const pauseMs = fromMs - endMs
    const isLong = pauseMs > shortMs * 2
    const drawnMs = isLong ? shortMs : pauseMs
    if (isLong) pauses.push({ at: at + drawnMs / 2, ms: pauseMs })
    parts.push({ fromMs: endMs, toMs: fromMs, at, drawnMs }, { fromMs, toMs, at: at + drawnMs, drawnMs: toMs - fromMs })
    at += drawnMs + toMs - fromMs
    endMs = toMs
  }
  const scale = at === 0 ? 0 : width / at
  return {
    placeOf (ms) {
      const part = parts.findLast(({ fromMs }) => fromMs <= ms)
      if (part === undefined) return 0
      const { fromMs, toMs, at: begin, drawnMs } = part
      const share = toMs === fromMs ? 0 : Math.min(1, (ms - fromMs) / (toMs - fromMs))
      return (begin + share * drawnMs) * scale
    },
    breaks: pauses.map(({ at: place, ms }) => ({ place: place * scale, ms }))
  }
}

/** Joins spans that touch, in the order of time. */
function mergeSpans (spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else merged.push({ fromMs, toMs })
  }
  return merged
}
