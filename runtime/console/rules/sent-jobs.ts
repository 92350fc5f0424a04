interface JobLike {
  payload: Readonly<Record<string, unknown>>
  result: unknown
  problem: { code: string, message: string } | null
  waitsFor: { detail: string } | null
  coalescedInto: string | null
}

/** A job in one short text: why it failed or waits, or else what it wrote. */
export function summaryOfJob ({ result, problem, waitsFor, coalescedInto }: JobLike): string {
  if (problem !== null) return `${problem.code}: ${problem.message}`
  if (waitsFor !== null) return waitsFor.detail
  if (coalescedInto !== null) return `a newer job did it: ${coalescedInto.slice(0, 8)}`
  if (typeof result !== 'object' || result === null) return ''
  const { skipped, before, quantity, applied, frozen, found } = result as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return `nothing to do: ${skipped}`
  const written = namesIn(applied).filter(name => name !== 'stock')
  return [
    ...typeof quantity === 'number'
      ? [typeof before === 'number' ? `${before} → ${quantity}` : `quantity ${quantity}`]
      : [],
    ...written.length === 0 ? [] : [`wrote ${written.join(', ')}`],
    ...namesIn(frozen).length === 0 ? [] : [`frozen: ${namesIn(frozen).join(', ')}`],
    ...typeof found === 'object' && found !== null && 'differs' in found ? [describeFound(found.differs)] : []
  ].join('; ')
}

function describeFound (differs: unknown): string {
  const names = namesIn(differs)
  return names.length === 0 ? 'nothing differs there' : `differs there: ${names.join(', ')}`
}

function namesIn (value: unknown): string[] {
  return Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
}
