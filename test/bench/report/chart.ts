import { describeRuns, titleOf, type Results, type Row } from './results.ts'

const width = 860
const left = 390
const barLeft = left + 12
const longestBar = 300
const rowHeight = 26
const top = 58

/** Draws the main column as bars, in the colours of the reader's scheme. Limits are grey. */
export function drawChart (results: Results): string {
  const { title, columns, main, machine, measuredAt, runs } = results
  const rows = results.rows.filter(row => row.figures[main] !== undefined)
  const most = Math.max(...rows.map(row => row.figures[main]?.median ?? 0))
  const height = top + rows.length * rowHeight + 30
  const measured = describeRuns({ runs, rows })
  const heading = columns[main]?.heading ?? main
  const digits = columns[main]?.digits ?? 0
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  aria-label="${escape(`${title}: ${heading}`)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 15px }
  .small { font-size: 11px; fill: #57606a }
  .limit { fill: #afb8c1 }
  .hub { fill: #2f6feb }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #8d96a0 }
    .limit { fill: #484f58 }
    .hub { fill: #4493f8 }
  }
</style>
<text class="title" x="12" y="24">${escape(title)}</text>
<text class="small" x="12" y="42">${escape(heading)}${
    rows.some(({ kind }) => kind === 'limit') ? '; grey: what the parts can do without the hub' : ''
  }</text>
${rows.map((row, index) => drawRow(row, { main, digits, most, y: top + index * rowHeight })).join('\n')}
<text class="small" x="12" y="${height - 10}">${
    escape(`${measured}, ${measuredAt}; ${machine.processors}, Node ${machine.node}, client and servers included`)
  }</text>
</svg>
`
}

interface Place {
  main: string
  digits: number
  most: number
  y: number
}

function drawRow (row: Row, { main, digits, most, y }: Place): string {
  const { kind, figures, compared } = row
  const value = figures[main]?.median ?? 0
  const length = Math.max(1, Math.round(longestBar * value / most))
  const share = compared === undefined ? '' : ` (${(100 * compared.share).toFixed(0)} %)`
  return [
    `<text x="${left}" y="${y + 14}" text-anchor="end">${escape(titleOf(row))}</text>`,
    `<rect class="${kind}" x="${barLeft}" y="${y}" width="${length}" height="18" rx="2"/>`,
    `<text x="${barLeft + length + 8}" y="${y + 14}">${format(value, digits)}${share}</text>`
  ].join('')
}

function format (value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replaceAll(',', ' ')
}

function escape (text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
