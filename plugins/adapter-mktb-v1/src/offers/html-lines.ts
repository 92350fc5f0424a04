import { escapeHtmlText } from '@linker/sdk'

/**
 * Builds the content of one element. A space or line break is written only when text follows it, so
 * the content neither begins nor ends with one.
 */
export function createLines () {
  let content = ''
  let breaks = 0
  let isSpaced = false
  let boldDepth = 0
  let isBold = false

  function space (): void {
    isSpaced = content !== '' && breaks === 0
  }

  function lineBreak (): void {
    if (content !== '') breaks += 1
    isSpaced = false
  }

  function text (raw: string): void {
    const escaped = escapeHtmlText(raw)
    const trimmed = escaped.replace(/^ | $/g, '')
    if (escaped.startsWith(' ')) space()
    if (trimmed === '') return
    const gap = isSpaced ? ' ' : '<br/>'.repeat(breaks)
    const isWanted = boldDepth > 0
    const change = isWanted ? `${gap}<b>` : `</b>${gap}`
    content += (isWanted === isBold ? gap : change) + trimmed
    isBold = isWanted
    breaks = 0
    isSpaced = escaped.endsWith(' ')
  }

  return {
    text,
    lineBreak,
    startLine (): void {
      if (breaks === 0) lineBreak()
    },
    bold (isStart: boolean): void {
      boldDepth = Math.max(0, boldDepth + (isStart ? 1 : -1))
    },
    end (): string {
      const ended = isBold ? `${content}</b>` : content
      content = ''
      breaks = 0
      isSpaced = isBold = false
      return ended
    }
  }
}
