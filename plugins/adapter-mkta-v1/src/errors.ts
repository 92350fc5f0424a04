import { AuthenticationError, NotFoundError, RejectedError, type AdapterError, type FieldError, type HttpResponse } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Failure = Type.Object({
  errors: Type.Array(Type.Object({ code: Text, message: Text, userMessage: Text, path: Text }))
})
const TokenFailure = Type.Object({ error: Type.String(), error_description: Text })

/** Reads what the marketplace says about a refusal. 429 and 5xx are left to their status. */
export function classify (response: HttpResponse): AdapterError | undefined {
  const { status } = response
  if (status < 400 || status === 408 || status === 425 || status === 429 || status >= 500) return undefined

  const body = parse(response.body)
  const fields = fieldErrors(body)
  const said = describe(body, fields, response.headers['trace-id'])
  if (status === 401) return new AuthenticationError(`the marketplace refused the token${said}`, { status })
  if (status === 403) return new AuthenticationError(`the token does not permit this${said}`, { status })
  if (status === 404) return new NotFoundError(`the marketplace knows no such object${said}`, { status })
  return new RejectedError(`the marketplace refused the request with ${status}${said}`, { status, fields })
}

function parse (body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function fieldErrors (body: unknown): FieldError[] {
  if (!Value.Check(Failure, body)) return []
  return body.errors.map(error => ({
    pointer: toPointer(error.path ?? ''),
    code: error.code ?? 'unknown',
    message: (error.userMessage ?? error.message ?? '').slice(0, 300)
  }))
}

// `sellingMode.price.amount` and `images[0]`, as the marketplace writes paths.
function toPointer (path: string): string {
  const segments = path.split(/[.[\]]/).filter(segment => segment !== '')
  return segments.map(segment => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

// A token's failure has the shape of OAuth, not that of the interface.
function describe (body: unknown, fields: readonly FieldError[], traceId: string | undefined): string {
  const texts = Value.Check(TokenFailure, body) ? [body.error_description ?? body.error] : fields.map(({ code, message }) => `${code}: ${message}`)
  const said = texts.join('; ').slice(0, 500)
  return `${said === '' ? '' : ` (${said})`}${traceId === undefined ? '' : ` [trace ${traceId}]`}`
}
