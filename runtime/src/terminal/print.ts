import { escapeUnprintable } from '@linker/sdk/host/text'

/** Prints lines on standard output, with everything escaped that would control the terminal. */
export function print (text: string): void {
  console.log(printable(text))
}

/** Prints lines on standard error, escaped in the same way. */
export function printError (text: string): void {
  console.error(printable(text))
}

/**
 * Escapes the characters of a text that a terminal would obey. Line breaks stay, so the caller
 * escapes texts of others with `escapeUnprintable` before it quotes them: their line breaks could
 * otherwise pass for lines of the hub.
 */
export function printable (text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n')
}
