import { isAdapterError } from '@linker/sdk'
import { describeProblems } from '@linker/sdk/host'
import { describeDetails, mostDetails, toProblem, type KnownError, type ProblemDetail } from '@linker/sdk/host/routes'
import { isDiskFull, isInfrastructureError } from '../database/infrastructure-error.ts'
import {
  DatabaseUnavailableError,
  DiskFullError,
  InternalError,
  InvalidRequestError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError
} from '../errors.ts'
import { patternSentences } from './pattern-sentences.ts'

export { describeDetails, toProblem }
export type { KnownError, ProblemDetail }

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
    if (isDiskFull(error)) return known(new DiskFullError())
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
