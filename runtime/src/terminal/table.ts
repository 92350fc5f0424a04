import { escapeUnprintable } from '@linker/sdk/host/text'

/** Rows as aligned columns under their headings, for a terminal. */
export function formatTable (headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings.map(heading => heading.toUpperCase()), ...rows.map(row => row.map(escapeUnprintable))]
  const widths = headings.map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)))
  return lines.map(line => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n')
}
