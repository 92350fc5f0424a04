import { AdapterError, isAdapterError, TransientError } from '../errors.ts'
import { HostError } from './host-error.ts'
import { fits } from './size.ts'

/** An error as plain data: a structured clone of the error itself would lose its code. */
export interface ErrorData {
  name: string
  message: string
  stack?: string
  code?: string
  status?: number
  fields?: unknown
  retryAfterMs?: number
  credentialsVersion?: string
}

export function encodeError (error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  const own = (member: string): unknown => Reflect.get(error, member)
  const code = own('code')
  const status = own('status')
  const retryAfterMs = own('retryAfterMs')
  const credentialsVersion = own('credentialsVersion')
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(Array.isArray(own('fields')) ? { fields: own('fields') } : {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
    ...(typeof credentialsVersion === 'string' ? { credentialsVersion } : {})
  }
}

export function decodeError ({ message, ...members }: ErrorData): Error {
  return Object.assign(new Error(message), members)
}

/** The most characters of a message and of a stack in logs, stored data and answers. */
const longestText = 10_000
/**
 * The most characters in which the hub searches for secrets. It drops the rest. The shown part ends
 * long before, so it never ends with half of a secret.
 */
const longestSearched = 1_000_000

/** Returns the thrown value, or a copy that is short enough to be logged, stored and sent. */
export function bounded (thrown: unknown): unknown {
  if (typeof thrown === 'string') return thrown.slice(0, longestText)
  return thrown instanceof Error ? shorten(thrown, longestText) : thrown
}

function shorten (error: Error, longest: number): Error {
  const { name, message, stack = '', cause } = error
  const fields: unknown = Reflect.get(error, 'fields')
  const isTextShort = message.length <= longest && stack.length <= 2 * longest
  const areFieldsShort = fits(fields, longest)
  const isCauseShort = fits(cause, 2 * longest)
  if (isTextShort && areFieldsShort && isCauseShort) return error
  const cut = new Error(message.slice(0, longest), { cause: isCauseShort ? cause : 'too large to be shown' })
  const kept = ['code', 'status', 'retryAfterMs', ...areFieldsShort ? ['fields'] : []].filter(member => member in error)
  const members = kept.map(member => [member, Reflect.get(error, member)] as const)
  return Object.assign(cut, { name, stack: stack.slice(0, 2 * longest) }, Object.fromEntries(members))
}

/**
 * Copies a value that an adapter threw: keeps its code and removes its secrets. Turns a value that
 * is not an error into one.
 */
export function withoutSecrets (thrown: unknown, redact: (value: unknown) => unknown): Error {
  if (!(thrown instanceof Error)) {
    return new Error(`an adapter threw ${String(redact(String(thrown).slice(0, longestSearched)))}`)
  }
  const error = shorten(thrown, longestSearched)
  const message = String(redact(error.message))
  if (error instanceof HostError) return error
  if (!isAdapterError(error)) return Object.assign(new Error(message), { name: error.name, stack: redact(error.stack) })
  const copy = new AdapterError(error.code, message, {
    status: error.status,
    cause: redact(error.cause)
  })
  copy.name = error.name
  return Object.assign(
    copy,
    'fields' in error ? { fields: redact(error.fields) } : {},
    'retryAfterMs' in error ? { retryAfterMs: error.retryAfterMs } : {}
  )
}

/** The error of an aborted call. */
export function abortError (signal: AbortSignal): TransientError {
  return new TransientError('the call was stopped before it finished', { cause: signal.reason })
}
