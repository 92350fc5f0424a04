import type { Log } from '../context.ts'
import { fits } from './size.ts'

/**
 * A log whose lines have at most so many bytes: of one that is longer the fields are left out, and
 * the message is cut.
 */
export function limitedLog (log: Log, mostBytes: number): Log {
  const level = (name: keyof Log) => (fields: object, message: string): void => {
    const text = String(message)
    if (fits([fields, text], mostBytes)) log[name](fields, text)
    else log[name]({ shortened: true }, text.slice(0, mostBytes / 8))
  }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
