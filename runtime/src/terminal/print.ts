import { escapeUnprintable } from '@linker/sdk/host/text'
import { paint } from './paint.ts'

/**
 * Prints lines on standard output, with everything escaped that would control the terminal. On a
 * terminal, words for states have colours.
 */
export function print (text: string): void {
  console.log(paint(printable(text), process.stdout))
}

/** Prints a line for people on standard output; a script that reads it gets none. */
export function printHint (text: string): void {
  if (process.stdout.isTTY) print(text)
}

/** Prints lines on standard error, escaped in the same way. */
export function printError (text: string): void {
  console.error(paint(printable(text), process.stderr))
}

/**
 * Escapes the characters of a text that a terminal would obey. Line breaks stay, so the caller
 * escapes texts of others with `escapeUnprintable` before it quotes them: their line breaks could
 * otherwise pass for lines of the hub.
 */
export function printable (text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n')
}
