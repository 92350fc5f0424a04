export type HtmlToken =
  /** The text as the document has it, references included. */
  | { kind: 'text', text: string }
  | { kind: 'start' | 'end', name: string }

/** Elements whose content the reader does not see. */
const dropped: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template', 'iframe', 'noembed', 'noframes'])

const tagName = /<\/?([a-z][^\s/>]*)/iy

/**
 * Splits a document into texts and tags without their attributes, however broken the document is.
 * Leaves out comments and scripts. Takes time in proportion to the length of the document.
 */
export function* htmlTokens (html: string): Generator<HtmlToken> {
  const lowerCase = html.toLowerCase()
  const findTagEnd = createTagEndFinder(html)
  let textFrom = 0
  let at = html.indexOf('<')
  while (at !== -1) {
    const markup = markupAt(html, at, findTagEnd)
    if (markup === undefined) {
      at = html.indexOf('<', at + 1)
      continue
    }
    if (at > textFrom) yield { kind: 'text', text: html.slice(textFrom, at) }
    if (markup.name !== '') yield { kind: html[at + 1] === '/' ? 'end' : 'start', name: markup.name }
    const isDropped = dropped.has(markup.name) && html[at + 1] !== '/'
    textFrom = isDropped ? contentEnd(lowerCase, markup.name, markup.end) : markup.end
    at = html.indexOf('<', textFrom)
  }
  if (textFrom < html.length) yield { kind: 'text', text: html.slice(textFrom) }
}

/**
 * Returns the tag or comment that begins with the `<` at `at`; a comment has no name. Returns
 * undefined for a `<` that is text, as in `a < b`.
 */
function markupAt (
  html: string,
  at: number,
  findTagEnd: (from: number) => number
): { name: string, end: number } | undefined {
  if (html.startsWith('<!--', at)) {
    const end = html.indexOf('-->', at + 4)
    return { name: '', end: end === -1 ? html.length : end + 3 }
  }
  tagName.lastIndex = at
  const name = tagName.exec(html)?.[1]?.toLowerCase() ?? ''
  if (name === '' && !/[!?/]/.test(html[at + 1] ?? '')) return undefined
  const end = name === '' ? html.indexOf('>', at) : findTagEnd(at)
  return end === -1 ? undefined : { name, end: end + 1 }
}

/** Finds the `>` that ends a tag, not one inside a quoted attribute. */
function createTagEndFinder (html: string): (from: number) => number {
  // After one unclosed quote, ignore all quotes: otherwise each further tag would read to the end
  // of the document again.
  let believesQuotes = true

  return from => {
    const end = believesQuotes ? quotedTagEnd(html, from) : -1
    if (end !== -1) return end
    believesQuotes = false
    return html.indexOf('>', from)
  }
}

function quotedTagEnd (html: string, from: number): number {
  let quote = ''
  let isValueNext = false
  for (let index = from; index < html.length; index++) {
    const character = html[index] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') {
      return index
    } else if (isValueNext && (character === '"' || character === "'")) {
      quote = character
      isValueNext = false
    } else if (character.trim() !== '') {
      isValueNext = character === '='
    }
  }
  return -1
}

function contentEnd (lowerCase: string, name: string, from: number): number {
  const end = lowerCase.indexOf(`</${name}`, from)
  return end === -1 ? lowerCase.length : end
}
