import { createHtmlRewriter } from '@linker/sdk/html'

/**
 * Rewrites HTML or plain text with the few elements that the marketplace allows: `h1 h2 h3 p b br
 * ol ul li`, without attributes, and `br` closed by itself.
 */
export const toAllowedHtml = createHtmlRewriter({ headings: 3, boldHeadings: true, lineBreaks: true })
