const longestQuote = 300
// The patterns take too long on a whole document in one line.
const longestRead = 2_000
/** A document that a platform quotes begins with one of these. */
const documentStart = /<\?xml|<!doctype|<html\b|<body\b|<!\[CDATA\[/i
const mailAddress = /[^\s@<>"'`()[\]{},;:=]+@[^\s@<>"'`()[\]{},;:=]+/g
const replacement = '…'

export interface QuoteOptions {
  /** Personal values of the request, such as the name in an address. The quote has none of them. */
  personal?: Iterable<string>
  /** Default 300 characters. */
  longest?: number
}

/**
 * Makes a text of a platform fit for the message of an error: its first line, without a document,
 * an e-mail address or one of the `personal` values, whole or in words. Messages reach logs, jobs
 * and tickets, and some platforms quote the request that they refuse.
 *
 * @example
 * const said = quoteAnswer(message, { personal: [address.lastName] })
 * new RejectedError(`the shop refused the buyer (${said})`)
 */
export function quoteAnswer (text: string, { personal = [], longest = longestQuote }: QuoteOptions = {}): string {
  const line = text.split(/[\r\n]+/).map(part => part.trim()).find(part => part !== '') ?? ''
  const said = shorten(line, longestRead).split(documentStart, 1)[0] ?? ''
  const cleaned = formsOf(personal).reduce(
    (rest, form) => rest.replaceAll(form, replacement),
    said.replaceAll(mailAddress, replacement)
  )
  return shorten(cleaned.trim(), longest)
}

/** Leaves out a word that does not fit: nobody would recognise half a secret, and redact it. */
function shorten (text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest + 1).replace(/\S*$/, '').trimEnd()
}

/** Returns the values and their words, the longest first. A letter alone would shred every text. */
function formsOf (personal: Iterable<string>): RegExp[] {
  const forms = new Set<string>()
  for (const value of personal) {
    const whole = value.trim()
    const words = whole.split(/[^\p{L}\p{M}\p{N}]+/u).filter(word => word.length > 2)
    for (const form of [whole, ...words]) if (form.length > 1) forms.add(form)
  }
  return [...forms].sort((a, b) => b.length - a.length).map(form => {
    // As a whole word only: the name Li stands in "valid", too.
    const before = /^[\p{L}\p{N}]/u.test(form) ? '(?<![\\p{L}\\p{N}])' : ''
    const after = /[\p{L}\p{N}]$/u.test(form) ? '(?![\\p{L}\\p{N}])' : ''
    return new RegExp(`${before}${escape(form)}${after}`, 'giu')
  })
}

function escape (text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
