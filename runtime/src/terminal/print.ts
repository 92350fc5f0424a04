import { escapeUnprintable } from '@linker/sdk/host'

/** Prints lines on standard output. Whatever they quote, nothing in them controls the terminal. */
export function print (text: string): void {
  console.log(printable(text))
}

/** Likewise on standard error. */
export function printError (text: string): void {
  console.error(printable(text))
}

/**
 * The lines of a text with what a terminal would obey escaped, JSON as JSON. A line break stays:
 * what is quoted within a line goes through `escapeUnprintable` before, or it could pass for lines
 * of the hub's own.
 */
export function printable (text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n')
}
