import { AdapterError, isAdapterError, TransientError } from '../errors.ts'
import { HostError } from './host-error.ts'

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

/** A copy of what an adapter threw, its code kept and its secrets removed. What is no error becomes one. */
export function withoutSecrets (error: unknown, redact: (value: unknown) => unknown): Error {
  if (!(error instanceof Error)) return new Error(`an adapter threw ${String(redact(String(error)))}`)
  const message = String(redact(error.message))
  if (error instanceof HostError) return error
  if (!isAdapterError(error)) return Object.assign(new Error(message), { name: error.name, stack: redact(error.stack) })
  const copy = new AdapterError(error.code, message, { ...(error.status === undefined ? {} : { status: error.status }), cause: redact(error.cause) })
  copy.name = error.name
  return Object.assign(copy, 'fields' in error ? { fields: redact(error.fields) } : {}, 'retryAfterMs' in error ? { retryAfterMs: error.retryAfterMs } : {})
}

/** What a call that was broken off rejects with. */
export function abortError (signal: AbortSignal): TransientError {
  return new TransientError('the call was stopped before it finished', { cause: signal.reason })
}
