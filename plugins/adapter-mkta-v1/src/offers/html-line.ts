import { escapeHtmlText } from '@linker/sdk'

/**
 * Builds the content of one element. A space is written only when text follows it, so the content
 * neither begins nor ends with a space.
 */
export function createLine () {
  let content = ''
  let isSpaced = false
  let boldDepth = 0
  let isBold = false

  function text (raw: string, canBeBold: boolean): void {
    const escaped = escapeHtmlText(raw)
    const trimmed = escaped.replace(/^ | $/g, '')
    if (escaped.startsWith(' ')) isSpaced = content !== ''
    if (trimmed === '') return
    const gap = isSpaced ? ' ' : ''
    const isWanted = canBeBold && boldDepth > 0
    const change = isWanted ? `${gap}<b>` : `</b>${gap}`
    content += (isWanted === isBold ? gap : change) + trimmed
    isBold = isWanted
    isSpaced = escaped.endsWith(' ')
  }

  return {
    text,
    bold (isStart: boolean): void {
      boldDepth = Math.max(0, boldDepth + (isStart ? 1 : -1))
    },
    end (): string {
      const ended = isBold ? `${content}</b>` : content
      content = ''
      isSpaced = isBold = false
      return ended
    }
  }
}
