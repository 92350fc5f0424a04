export interface ErrorEntry {
  code: number
  message: string
}

/** Answered with `status` and an `errors` list in the output format of the request. */
export class WebserviceError extends Error {
  readonly status: number
  readonly errors: ErrorEntry[]

  constructor (status: number, errors: ErrorEntry[]) {
    super(errors.map(({ message }) => message).join('; '))
    this.name = 'WebserviceError'
    this.status = status
    this.errors = errors
  }
}

export function webserviceError (status: number, code: number, message: string): WebserviceError {
  return new WebserviceError(status, [{ code, message }])
}
