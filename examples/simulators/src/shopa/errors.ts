export interface ErrorEntry {
  code: number
  message: string
}

/** An error that the shop answers with `status` and a list `errors`, in the requested format. */
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

/** An error that the shop answers with a plain text, in no format of the webservice. */
export class PlainError extends Error {
  readonly status: number

  constructor (status: number, text: string) {
    super(text)
    this.name = 'PlainError'
    this.status = status
  }
}

export function webserviceError (status: number, code: number, message: string): WebserviceError {
  return new WebserviceError(status, [{ code, message }])
}
