import { htmlTokens, type HtmlToken } from '@linker/sdk'
import { createLines } from './html-lines.ts'

/**
 * Maps each element that begins a line of its own to the element that replaces it. The tags of all
 * other elements are dropped and their text is kept.
 */
const blocks: ReadonlyMap<string, string> = new Map([
  ...['h1', 'h2', 'h3', 'p'].map(name => [name, name] as const),
  ...['h4', 'h5', 'h6'].map(name => [name, 'h3'] as const),
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'caption',
    'center',
    'dd',
    'details',
    'dir',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
    'header',
    'hgroup',
    'hr',
    'html',
    'legend',
    'main',
    'menu',
    'nav',
    'option',
    'pre',
    'section',
    'summary',
    'table',
    'tbody',
    'tfoot',
    'thead',
    'tr'
  ].map(name => [name, 'p'] as const)
])
const bold: ReadonlySet<string> = new Set(['b', 'strong'])
const cells: ReadonlySet<string> = new Set(['td', 'th'])

/**
 * Rewrites HTML or plain text with the few elements that the marketplace allows: `h1 h2 h3 p b br
 * ol ul li`, without attributes, and `br` closed by itself. The result is flat: lists are not
 * nested and a list item has no paragraphs. Answers an empty text when the content has no text.
 */
export function toAllowedHtml (content: string): string {
  const writer = createWriter()
  const tokens = [...htmlTokens(content)]
  // HTML ignores line ends; in plain text they separate lines and paragraphs.
  const isPlain = tokens.every(({ kind }) => kind === 'text')
  for (const token of tokens) {
    if (token.kind !== 'text') readTag(writer, token)
    else if (isPlain) readPlainText(writer, token.text)
    else writer.text(token.text)
  }
  return writer.end()
}

function readPlainText (writer: ReturnType<typeof createWriter>, text: string): void {
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (index > 0 && line.trim() === '') {
      writer.block('p')
      continue
    }
    if (index > 0) writer.lineBreak()
    writer.text(line)
  }
}

function readTag (writer: ReturnType<typeof createWriter>, { kind, name }: Exclude<HtmlToken, { kind: 'text' }>): void {
  const isStart = kind === 'start'
  if (name === 'br') writer.lineBreak()
  else if (bold.has(name)) writer.bold(isStart)
  else if (name === 'ul' || name === 'ol') writer.list(name, isStart)
  else if (name === 'li') writer.item()
  else if (cells.has(name)) writer.text(' ')
  else if (blocks.has(name)) writer.block(isStart ? blocks.get(name) ?? 'p' : 'p')
}

function createWriter () {
  const written: string[] = []
  const lines = createLines()
  let element = 'p'
  let openLists = 0
  let listElement = ''

  /** Ends the open element, and drops it when it has no visible text. */
  function close (): void {
    const content = lines.end()
    if (isVisible(content)) written.push(`<${element}>${content}</${element}>`)
  }

  function block (name: string): void {
    // A list item may not contain paragraphs, so a paragraph becomes a new line.
    if (openLists > 0) {
      lines.startLine()
      return
    }
    close()
    element = name
  }

  function list (name: 'ul' | 'ol', isStart: boolean): void {
    if (!isStart && openLists === 0) return
    close()
    if (isStart && openLists === 0) {
      listElement = name
      written.push(`<${name}>`)
    }
    openLists += isStart ? 1 : -1
    element = openLists > 0 ? 'li' : 'p'
    if (openLists === 0) endList()
  }

  function endList (): void {
    if (written.at(-1) === `<${listElement}>`) written.pop()
    else written.push(`</${listElement}>`)
  }

  return {
    text: lines.text,
    bold: lines.bold,
    lineBreak: lines.lineBreak,
    block,
    list,
    item (): void {
      if (openLists > 0) close()
      else block('p')
    },
    end (): string {
      close()
      if (openLists > 0) endList()
      return written.join('')
    }
  }
}

function isVisible (content: string): boolean {
  return content.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') !== ''
}
