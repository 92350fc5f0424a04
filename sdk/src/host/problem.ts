import type { SchemaProblem } from './json-schema.ts'

export type ProblemDetail = SchemaProblem & { hint?: string }

/**
 * RFC 9457, with the stable code of the error table and a pointer for each thing that is wrong with
 * the input.
 */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  instance: string
  requestId: string
  errors?: ProblemDetail[]
}

/** The part of an error that a client may see. */
export interface KnownError {
  code: string
  statusCode: number
  message: string
  errors?: ProblemDetail[]
}

// Ajv reports every problem of a body, and a body of one megabyte can have a hundred thousand.
export const mostDetails = 50

// The names of the specification (section 7.2) stand as titles.
const specifiedTitles: ReadonlyMap<string, string> = new Map([
  ['LNK_CONNECTION_NOT_FOUND', 'ConnectionNotFoundException'],
  ['LNK_CONNECTION_DISABLED', 'ConnectionDisabledException'],
  ['LNK_ADAPTER_MISSING', 'AdapterNotFoundException'],
  ['LNK_CAPABILITY_NOT_SUPPORTED', 'CapabilityNotSupportedException']
])

export function toProblem ({ code, statusCode, message, errors = [] }: KnownError, requestId: string): Problem {
  return {
    type: `urn:linker:problem:${code}`,
    title: specifiedTitles.get(code) ?? titleOf(code),
    status: statusCode,
    detail: message,
    code,
    // Name the request and not its address: the address may hold a secret, and one 404 must not
    // differ from another.
    instance: `urn:linker:request:${requestId}`,
    requestId,
    errors: errors.length === 0 ? undefined : errors.slice(0, mostDetails)
  }
}

/** The headers that an answer with a problem has because of its status. */
export function problemHeaders (status: number): Readonly<Record<string, string>> {
  if (status === 401) return { 'www-authenticate': 'Bearer' }
  return status === 503 ? { 'retry-after': '5' } : {}
}

/** Names all problems in one sentence. */
export function describeDetails (errors: readonly ProblemDetail[]): string {
  return errors.map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`).join('; ')
}

/** `LNK_SIGNATURE_MISMATCH` → `Signature mismatch`. */
function titleOf (code: string): string {
  const words = code.replace(/^LNK_/, '').replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
