import { escapeHtmlText } from '@linker/sdk'

/**
 * What stands inside one element. Spaces wait until something follows them, so that none is at
 * either end.
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
    content += isWanted === isBold ? gap : isWanted ? `${gap}<b>` : `</b>${gap}`
    content += trimmed
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
