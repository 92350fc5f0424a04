import { AdapterError, isAdapterError, TransientError } from '../errors.ts'
import { HostError } from './host-error.ts'
import { fits } from './size.ts'

/** An error as plain data, which a structured clone would rob of its code. */
export interface ErrorData {
  name: string
  message: string
  stack?: string
  code?: string
  status?: number
  fields?: unknown
  retryAfterMs?: number
}

export function encodeError (error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  const own = (member: string): unknown => Reflect.get(error, member)
  const code = own('code')
  const status = own('status')
  const retryAfterMs = own('retryAfterMs')
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(Array.isArray(own('fields')) ? { fields: own('fields') } : {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {})
  }
}

export function decodeError ({ message, ...members }: ErrorData): Error {
  return Object.assign(new Error(message), members)
}

/** Of a message and of a stack, as they are logged, stored and shown. */
const longestText = 10_000
/**
 * As much is searched for secrets. What is cut off here is far behind what is shown: half a secret
 * at its end is never seen.
 */
const longestSearched = 1_000_000

/** What an adapter threw, or a copy that is short enough to be logged, stored and sent. */
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
 * A copy of what an adapter threw, its code kept and its secrets removed. What is no error becomes
 * one.
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
    ...(error.status === undefined ? {} : { status: error.status }),
    cause: redact(error.cause)
  })
  copy.name = error.name
  return Object.assign(
    copy,
    'fields' in error ? { fields: redact(error.fields) } : {},
    'retryAfterMs' in error ? { retryAfterMs: error.retryAfterMs } : {}
  )
}

/** What a call that was broken off rejects with. */
export function abortError (signal: AbortSignal): TransientError {
  return new TransientError('the call was stopped before it finished', { cause: signal.reason })
}
