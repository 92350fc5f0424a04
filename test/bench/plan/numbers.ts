/** Two digits that matter: a plan is no more exact. */
export function show (value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value)
  const rounded = Number(value.toPrecision(2))
  if (Math.abs(rounded) >= 1e9) return `${Number((rounded / 1e9).toPrecision(2))} billion`
  return rounded.toLocaleString('en-US', { maximumSignificantDigits: 2 }).replaceAll(',', ' ')
}

/** A number as somebody wrote it, in groups of three digits. */
export function showExactly (value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 }).replaceAll(',', ' ')
}
