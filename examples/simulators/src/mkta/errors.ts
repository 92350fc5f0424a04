export interface Problem {
  code: string
  message: string
  path?: string
}

/** An error that the REST host answers with `status` and its error list. */
export class RestError extends Error {
  readonly status: number
  readonly problems: readonly Problem[]

  constructor (status: number, ...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join(', '))
    this.name = 'RestError'
    this.status = status
    this.problems = problems
  }
}

/**
 * An error with the body of OAuth. The token endpoint answers it, and the REST host when it refuses
 * a token.
 */
export class OAuthError extends Error {
  readonly status: number
  /** `error` of the body. */
  readonly kind: string

  constructor (status: number, kind: string, message: string) {
    super(message)
    this.name = 'OAuthError'
    this.status = status
    this.kind = kind
  }
}

export function toAnswer (error: unknown): { status: number, body: object } {
  if (error instanceof OAuthError) {
    return { status: error.status, body: { error: error.kind, error_description: error.message } }
  }
  if (error instanceof RestError) return { status: error.status, body: { errors: error.problems.map(problemBody) } }
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
  const code = status < 500 ? 'VALIDATION_ERROR' : 'InternalServerError'
  return { status, body: { errors: [problemBody({ code, message })] } }
}

function problemBody ({ code, message, path }: Problem) {
  return { code, message, details: null, path: path ?? null, userMessage: message, metadata: {} }
}
