import { escapeUnprintable } from '@linker/sdk/host/text'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

/** Members of a line, or of an object in it, that are secret whatever they hold. */
const secretNames = [
  'authorization',
  'credentials',
  'apiKey',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'secret',
  'token'
]

/**
 * Writes JSON lines to standard error; standard output stays free for the answers of commands.
 * Header values and credentials never reach a line.
 */
export function createLogger (
  config: Pick<Config, 'logLevel'>,
  destination: DestinationStream = openStandardError()
): Logger {
  return pino({
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    formatters: { level: label => ({ level: label }) },
    // JSON escapes only C0 characters. A C1 character, or one that turns the direction of text,
    // would reach the terminal of the operator who reads the log.
    hooks: { streamWrite: line => `${escapeUnprintable(line.slice(0, -1))}\n` },
    redact: { paths: secretNames.flatMap(name => [name, `*.${name}`]), censor: '[redacted]' }
  }, destination)
}

// While lines cannot be written, so many bytes of them wait, and the later ones are lost.
const maxLength = 8 * 1024 ** 2

/**
 * A log file on a full disk must not end the hub, nor keep it from ending: at the end pino would
 * try again for ever. The lines that wait follow when there is room.
 */
function openStandardError (): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: false, maxLength })
  const flushSync = destination.flushSync.bind(destination)
  let isBroken = false
  destination.flushSync = () => {
    if (!isBroken) flushSync()
  }
  return destination.on('error', () => {
    isBroken = true
  }).on('write', () => {
    isBroken = false
  })
}

/**
 * Leaves out the details that PostgreSQL adds to an error: PostgreSQL quotes the row that it
 * refuses, credentials included.
 */
function describeError (error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const withoutRow = (text: string): string =>
    text.replaceAll(/\n - detail: .*|Failing row contains .*|Key \(.*\)=\(.*\)/g, '')
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return {
    type: error.name,
    message: withoutRow(error.message),
    ...code,
    stack: withoutRow(error.stack ?? ''),
    ...cause
  }
}
