export interface Remedy {
  cause: string
  remedy: string
}

/**
 * The causes and remedies by code, from the tables of `docs/errors.md`. A row has the cells code,
 * status, cause and remedy, or code, cause and remedy.
 */
export function parseRemedies (markdown: string): Map<string, Remedy> {
  const found = new Map<string, Remedy>()
  for (const line of markdown.split('\n')) {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1).map(plain)
    const [code = ''] = cells
    if (!/^LNK_[A-Z0-9_]+$/.test(code) || cells.length < 3) continue
    found.set(code, { cause: cells.at(-2) ?? '', remedy: cells.at(-1) ?? '' })
  }
  return found
}

function plain (cell: string): string {
  return cell.trim().replaceAll(/`|\*\*/g, '').replaceAll('\\|', '|').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}
