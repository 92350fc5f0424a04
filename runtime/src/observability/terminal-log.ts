import { escapeUnprintable } from '@linker/sdk/host/text'
import pino, { type DestinationStream } from 'pino'

export interface TerminalLogOptions {
  isColoured: boolean
  /** Default: standard error. */
  write?: (text: string) => void
}

/**
 * Makes a destination of the log for a person at a terminal: a short line each, with the fields
 * below it. It formats in this thread, and loads the formatter only when somebody needs it.
 */
export async function openTerminalLog ({ isColoured, write }: TerminalLogOptions): Promise<DestinationStream> {
  // A bundle gives a CommonJS module as the default export alone.
  const { default: { prettyFactory } } = await import('pino-pretty')
  const format = prettyFactory({
    colorize: isColoured,
    translateTime: 'SYS:HH:MM:ss.l',
    levelFirst: false
  })
  const standardError = write === undefined ? pino.destination({ fd: 2, sync: false }) : undefined
  return {
    write (line) {
      const text = formatLine(line, format)
      if (write === undefined) standardError?.write(text)
      else write(text)
    }
  }
}

function formatLine (line: string, format: (fields: object) => string): string {
  try {
    return format(harmless(JSON.parse(line)) as object)
  } catch {
    return line
  }
}

/** The formatter prints texts as they are, and a text could control the terminal. */
function harmless (value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    // A stack is printed with an indent, so that none of its lines looks like one of the log.
    return name === 'stack' ? value.split('\n').map(escapeUnprintable).join('\n') : escapeUnprintable(value)
  }
  if (Array.isArray(value)) return value.map(member => harmless(member))
  if (typeof value !== 'object' || value === null) return value
  return Object
    .fromEntries(Object.entries(value).map(([key, member]) => [escapeUnprintable(key), harmless(member, key)]))
}
