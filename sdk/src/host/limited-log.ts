import type { Log } from '../context.ts'
import { fits } from './size.ts'

/**
 * Creates a log that bounds the bytes of its lines: it drops the fields of a longer line and cuts
 * its message.
 */
export function limitedLog (log: Log, mostBytes: number): Log {
  const level = (name: keyof Log) => (fields: object, message: string): void => {
    const text = String(message)
    if (fits([fields, text], mostBytes)) log[name](fields, text)
    else log[name]({ shortened: true }, text.slice(0, mostBytes / 8))
  }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
