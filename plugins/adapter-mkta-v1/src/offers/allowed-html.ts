import { createHtmlRewriter } from '@linker/sdk/html'

/**
 * Rewrites HTML or plain text with the few elements that the marketplace allows: `h1 h2 p ul ol li
 * b`, without attributes, and `b` only in paragraphs and list items.
 */
export const toAllowedHtml = createHtmlRewriter({ headings: 2, boldHeadings: false, lineBreaks: false })
