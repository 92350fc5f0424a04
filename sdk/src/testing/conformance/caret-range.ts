const version = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/
const caretRange = /^\^(\d+)\.(\d+)\.(\d+)$/

/**
 * Whether `range`, a caret range (`^1.2.0`), includes `wanted`; undefined for any other form.
 * Adapters state caret ranges for the contract, so the SDK needs no library for the rest of SemVer.
 */
export function takesVersion (range: string, wanted: string): boolean | undefined {
  const low = caretRange.exec(range)?.slice(1).map(Number)
  const given = version.exec(wanted)?.slice(1).map(Number)
  if (low === undefined || given === undefined) return undefined
  // Everything up to the first non-zero number must be equal.
  const fixed = low.findIndex(number => number > 0) + 1
  return low.slice(0, fixed === 0 ? 3 : fixed).every((number, index) => number === given[index]) &&
    compare(given, low) >= 0
}

function compare (a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((number, position) => number !== b[position])
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}
