/** Compares two versions as SemVer does: a pre-release comes before its release. */
export function compareVersions (a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)]
  return comparePieces(one.numbers, other.numbers) || compareBefore(one.before, other.before)
}

interface Named {
  adapterKey: string | null
  version: string | null
  isolation: unknown
}

/** The newest released version of a key that is loaded and newer than the one in use. */
export function newerVersion (
  { adapterKey, version }: { adapterKey: string, version: string | null },
  adapters: readonly Named[]
): string | undefined {
  if (version === null) return undefined
  return versionsOf(adapterKey, adapters)
    .find(candidate => !candidate.includes('-') && compareVersions(candidate, version) > 0)
}

/** The loaded versions of a key, the newest first. */
export function versionsOf (adapterKey: string, adapters: readonly Named[]): string[] {
  return adapters.flatMap(adapter =>
    adapter.adapterKey === adapterKey && adapter.isolation !== null && adapter.version !== null ? [adapter.version] : []
  ).toSorted((a, b) => compareVersions(b, a))
}

function parse (version: string): { numbers: string[], before: string[] | undefined } {
  const [numbers = '', ...before] = version.replace(/\+.*$/, '').split('-')
  return { numbers: numbers.split('.'), before: before.length === 0 ? undefined : before.join('-').split('.') }
}

function compareBefore (a: string[] | undefined, b: string[] | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return comparePieces(a, b)
}

function comparePieces (a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = comparePiece(a[at], b[at])
    if (order !== 0) return order
  }
  return 0
}

function comparePiece (a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  const [isNumber, isOther] = [a, b].map(piece => /^\d+$/.test(piece))
  if (isNumber !== isOther) return isNumber === true ? -1 : 1
  if (isNumber === true) return Number(a) - Number(b)
  return Number(a > b) - Number(a < b)
}
