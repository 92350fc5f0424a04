import { isAdapterError } from '@linker/sdk'
import { describeProblems, type SchemaProblem } from '@linker/sdk/host'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import {
  DatabaseUnavailableError,
  InternalError,
  InvalidRequestError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError
} from '../errors.ts'
import { patternSentences } from './pattern-sentences.ts'

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
const mostDetails = 50

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

/**
 * The part of an error that may leave the hub. An error that nobody foresaw becomes `LNK_INTERNAL`,
 * whatever its message says.
 */
export function toKnownError (error: unknown, bodyLimitBytes: number): KnownError {
  const { code, statusCode, errors } = membersOf(error)
  if (error instanceof Error) {
    const invalid = describeInvalid(error)
    if (invalid !== undefined) return invalid
    if (code.startsWith('LNK_') && statusCode !== undefined) {
      return { code, statusCode, message: error.message, errors }
    }
    if (isAdapterError(error)) {
      return {
        code: error.code,
        statusCode: 502,
        message: error.message,
        errors: 'fields' in error ? error.fields as ProblemDetail[] : []
      }
    }
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return known(new PayloadTooLargeError(bodyLimitBytes))
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return known(new UnsupportedMediaTypeError())
    // Errors of Fastify and its plugins have codes that begin with FST_. ECONNRESET with a status
    // means that the client's connection broke, and not one of the hub's.
    const isOfClient = code.startsWith('FST_') || code === 'ECONNRESET'
    if (isOfClient && statusCode !== undefined && statusCode < 500) {
      return { ...known(new InvalidRequestError(error.message)), statusCode }
    }
    if (isInfrastructureError(error)) return known(new DatabaseUnavailableError())
  }
  return known(new InternalError())
}

/**
 * Points to each value that the schema of a route refused: in the body, in `/querystring`,
 * `/params` or `/headers`.
 */
function describeInvalid (error: Error): KnownError | undefined {
  const { validation, validationContext = 'body' } = error as {
    validation?: Parameters<typeof describeProblems>[0],
    validationContext?: string
  }
  if (!Array.isArray(validation)) return undefined
  const prefix = validationContext === 'body' ? '' : `/${validationContext}`
  const errors = describeProblems(validation.slice(0, mostDetails).map(inWords), prefix)
  return { ...known(new InvalidRequestError(describeDetails(errors))), errors }
}

/** Replaces the text of a pattern, which few people can read. */
function inWords<Invalid extends Parameters<typeof describeProblems>[0][number]> (invalid: Invalid): Invalid {
  const { pattern } = invalid.params as { pattern?: string }
  const message = pattern === undefined ? undefined : patternSentences.get(pattern)
  return message === undefined ? invalid : { ...invalid, message }
}

export function describeDetails (errors: readonly ProblemDetail[]): string {
  return errors.map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`).join('; ')
}

function known ({ code, statusCode = 500, message }: {
  code: string,
  statusCode?: number,
  message: string
}): KnownError {
  return { code, statusCode, message }
}

/** Code may throw any value: an error without a code, or something that is no error. */
function membersOf (error: unknown): { code: string, statusCode?: number, errors?: ProblemDetail[] } {
  const { code, statusCode, errors } = (error ?? {}) as Record<string, unknown>
  return {
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    errors: Array.isArray(errors) ? errors as ProblemDetail[] : undefined
  }
}

/** `LNK_SIGNATURE_MISMATCH` → `Signature mismatch`. */
function titleOf (code: string): string {
  const words = code.replace(/^LNK_/, '').replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
