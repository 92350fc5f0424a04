import { createLine } from './line.ts'
import { htmlTokens, type HtmlToken } from './tokens.ts'

/** The HTML that a platform allows in descriptions. Every platform allows `p ul ol li b`. */
export interface HtmlRules {
  /** Headings up to this level stay; deeper ones become headings of this level. */
  headings: 1 | 2 | 3 | 4 | 5 | 6
  /** Whether `b` may stand in headings. */
  boldHeadings: boolean
  /**
   * Whether `<br/>` is allowed. If not, a line break begins a new paragraph, and in a list item it
   * becomes a space.
   */
  lineBreaks: boolean
}

/** The elements that begin a line of their own and are no headings. Paragraphs replace them. */
const paragraphs: ReadonlySet<string> = new Set([
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
  'p',
  'pre',
  'section',
  'summary',
  'table',
  'tbody',
  'tfoot',
  'thead',
  'tr'
])
const heading = /^h([1-6])$/
const bold: ReadonlySet<string> = new Set(['b', 'strong'])
const cells: ReadonlySet<string> = new Set(['td', 'th'])

/**
 * Makes a function that rewrites any HTML or plain text with the few elements that a platform
 * allows, without attributes. The tags of all other elements are dropped and their text is kept;
 * scripts, styles and comments go with their content. The result is flat: lists are not nested and
 * a list item has no paragraphs. It is an empty text when the input has no visible text.
 */
export function createHtmlRewriter (rules: HtmlRules): (content: string) => string {
  return content => {
    const writer = createWriter(rules)
    const tokens = [...htmlTokens(content)]
    // HTML ignores line ends; in plain text they separate lines and paragraphs.
    const isPlain = tokens.every(({ kind }) => kind === 'text')
    for (const token of tokens) {
      if (token.kind !== 'text') readTag(writer, token, rules)
      else if (isPlain) readPlainText(writer, token.text)
      else writer.text(token.text)
    }
    return writer.end()
  }
}

type Writer = ReturnType<typeof createWriter>

function readPlainText (writer: Writer, text: string): void {
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (index > 0 && line.trim() === '') {
      writer.block('p')
      continue
    }
    if (index > 0) writer.lineBreak()
    writer.text(line)
  }
}

function readTag (writer: Writer, { kind, name }: Exclude<HtmlToken, { kind: 'text' }>, { headings }: HtmlRules): void {
  const isStart = kind === 'start'
  const level = heading.exec(name)?.[1]
  if (name === 'br') writer.lineBreak()
  else if (bold.has(name)) writer.bold(isStart)
  else if (name === 'ul' || name === 'ol') writer.list(name, isStart)
  else if (name === 'li') writer.item()
  else if (cells.has(name)) writer.text(' ')
  else if (level !== undefined) writer.block(isStart ? `h${Math.min(Number(level), headings)}` : 'p')
  else if (paragraphs.has(name)) writer.block('p')
}

function createWriter ({ boldHeadings, lineBreaks }: HtmlRules) {
  const written: string[] = []
  const line = createLine()
  let element = 'p'
  let openLists = 0
  let listElement = ''

  function text (raw: string): void {
    line.text(raw, boldHeadings || element === 'p' || element === 'li')
  }

  /** Ends the open element, and drops it when it has no visible text. */
  function close (): void {
    const content = line.end()
    if (isVisible(content)) written.push(`<${element}>${content}</${element}>`)
  }

  function block (name: string): void {
    if (openLists > 0) {
      // A list item may not contain paragraphs.
      if (lineBreaks) line.startLine()
      else text(' ')
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
    text,
    bold: line.bold,
    lineBreak (): void {
      if (lineBreaks) line.lineBreak()
      else block(element)
    },
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
