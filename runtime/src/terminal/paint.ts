import { styleText } from 'node:util'

type Style = 'green' | 'yellow' | 'red' | 'gray' | 'bold'

const words: Readonly<Record<Exclude<Style, 'bold'>, readonly string[]>> = {
  green: ['active', 'ACTIVE', 'succeeded', 'ready', 'ok', 'done', 'completed', 'accepted', 'in-step', 'closed', '✓'],
  yellow: ['waiting', 'queued', 'running', 'paused', 'DRAFT', 'pending', 'held', 'half-open', 'warning', '!'],
  red: ['error', 'dead', 'failed', 'FAILED', 'refused', 'open', 'blocked', '✗'],
  gray: ['disabled', 'cancelled', 'INACTIVE', 'ENDED', 'ignored', 'revoked']
}
const styles = new Map(Object.entries(words).flatMap(([style, names]) => names.map(name => [name, style as Style])))
/** Matches a line that has only words in capitals, such as the first line of a table. */
const headings = /^[A-Z][A-Z0-9 /%-]*$/
const betweenCells = /( {2,})/
const mark = /^([✓!✗]) /

/**
 * Colours a line without control characters: the headings of a table, cells that are one of the
 * words for a state, and the mark at the beginning.
 */
export function paintLine (line: string, style: (style: Style, text: string) => string): string {
  if (headings.test(line)) return style('bold', line)
  const paintWord = (word: string): string => {
    const found = styles.get(word)
    return found === undefined ? word : style(found, word)
  }
  return line.replace(mark, (_, symbol: string) => `${paintWord(symbol)} `)
    .split(betweenCells)
    .map(paintWord)
    .join('')
}

/**
 * Colours the lines of a text for a terminal. Returns the text unchanged for a pipe or a file, and
 * where `NO_COLOR` is set.
 */
export function paint (text: string, stream: NodeJS.WritableStream & { isTTY?: boolean }): string {
  if (stream.isTTY !== true) return text
  return text.split('\n')
    .map(line => paintLine(line, (style, part) => styleText(style, part, { stream })))
    .join('\n')
}
