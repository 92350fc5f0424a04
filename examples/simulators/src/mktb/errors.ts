import { randomBytes } from 'node:crypto'

/** A member of a body that the marketplace refuses. */
export interface InvalidMember {
  /** A JSON pointer into the body. */
  path: string
  message: string
}

/** An error that the server answers with `status` and the generic error body. */
export class ShopApiError extends Error {
  readonly status: number
  /** `name` of the error body. */
  readonly kind: string
  readonly details: readonly InvalidMember[] | undefined

  constructor (status: number, kind: string, message: string, details?: readonly InvalidMember[]) {
    super(message)
    this.name = 'ShopApiError'
    this.status = status
    this.kind = kind
    this.details = details
  }
}

/** The refusal of a body: its text is Polish, and only the details say what is wrong. */
export function invalid (...details: readonly InvalidMember[]): ShopApiError {
  return new ShopApiError(400, 'ValidationFailure', 'Nieprawidłowe dane', details)
}

export function notFound (externalId: string): ShopApiError {
  return new ShopApiError(404, 'NotFoundError', `Product "${externalId}" not found`)
}

export function conflict (externalId: string): ShopApiError {
  return new ShopApiError(409, 'ConflictError', `Product "${externalId}" already exists`)
}

export function errorBody ({ status, kind, message, details }: ShopApiError) {
  const spanId = randomBytes(8).toString('hex')
  // The refusal of a key has neither a name nor a trace.
  if (status === 401) return { failureType: 'security', message, httpCode: status, spanId }
  const rest = { message, name: kind, spanId, traceId: randomBytes(16).toString('hex') }
  if (details !== undefined) return { failureType: 'validation', ...rest, payload: { details } }
  return { failureType: status === 409 ? 'conflict' : 'failure', ...rest }
}
