/** The spans that a person may choose, by the name in the address. */
export const spans = {
  '1h': ['last hour', 3_600_000],
  '6h': ['last 6 hours', 21_600_000],
  '24h': ['last 24 hours', 86_400_000],
  '7d': ['last 7 days', 604_800_000],
  '30d': ['last 30 days', 2_592_000_000],
  '89d': ['last 89 days', 7_689_600_000]
} as const

export const usualSpan = '24h'

export type SpanName = keyof typeof spans

interface Wanted {
  span?: string
  from?: string
  to?: string
}

/** The query of a span: the two times that were dragged, or else a span that ends now. */
export function queryOf ({ span, from, to }: Wanted, nowMs: number): { from: string, to?: string } {
  if (from !== undefined && to !== undefined && Date.parse(from) < Date.parse(to)) return { from, to }
  const [, ms] = isSpan(span) ? spans[span] : spans[usualSpan]
  return { from: new Date(nowMs - ms).toISOString() }
}

export function isSpan (name: string | undefined): name is SpanName {
  return name !== undefined && Object.hasOwn(spans, name)
}
