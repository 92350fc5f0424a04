import { randomBytes } from 'node:crypto'

/** An error that the server answers with `status` and the generic error body. */
export class ShopApiError extends Error {
  readonly status: number
  /** `name` of the error body. */
  readonly kind: string

  constructor (status: number, kind: string, message: string) {
    super(message)
    this.name = 'ShopApiError'
    this.status = status
    this.kind = kind
  }
}

export function notFound (externalId: string): ShopApiError {
  return new ShopApiError(404, 'NotFoundError', `Product "${externalId}" not found`)
}

export function conflict (externalId: string): ShopApiError {
  return new ShopApiError(409, 'ConflictError', `Product "${externalId}" already exists`)
}

export function errorBody ({ status, kind, message }: ShopApiError) {
  return {
    failureType: status === 409 ? 'conflict' : 'failure',
    message,
    name: kind,
    spanId: randomBytes(8).toString('hex'),
    traceId: randomBytes(16).toString('hex')
  }
}
