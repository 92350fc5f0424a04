const begin = '<!-- linker docs -->'
const end = '<!-- /linker docs -->'

/** How to give a README a place for the reference. */
export const markersAdvice = `put the lines ${begin} and ${end} where the tables belong`

/**
 * Returns a README with this text between its two markers. Undefined: it has not exactly one pair
 * of them.
 */
export function withReference (readme: string, reference: string): string | undefined {
  const parts = readme.split(begin)
  const [before, rest] = parts
  const ends = rest?.split(end)
  if (parts.length !== 2 || before === undefined || ends?.length !== 2) return undefined
  return `${before}${begin}\n\n${reference}\n\n${end}${ends[1]}`
}
