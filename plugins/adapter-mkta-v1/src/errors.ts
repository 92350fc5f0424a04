import {
  AdapterErrorCode,
  AuthenticationError,
  isAdapterError,
  NotFoundError,
  quoteAnswer,
  RejectedError,
  TransientError,
  type AdapterError,
  type FieldError,
  type HttpResponse
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
/** A problem as the marketplace describes it, in its refusals and in its offers. */
export const Problem = Type.Object({ code: Text, message: Text, userMessage: Text, path: Text })
type Problem = Static<typeof Problem>
const Failure = Type.Object({ errors: Type.Array(Problem) })
const TokenFailure = Type.Object({ error: Type.String(), error_description: Text })

/** Codes by which the marketplace says that it has no such order. */
const unknownOrderCodes: ReadonlySet<string> = new Set(['CHECKOUT_FORM_NOT_FOUND', 'CheckoutFormNotFoundException'])

/** Statuses below 500 that the runtime retries by itself. */
const retried: ReadonlySet<number> = new Set([408, 425, 429])

class UnknownOrderError extends NotFoundError {}

/** Turns a refusal of the marketplace into an error. Leaves 429 and 5xx to the runtime. */
export function classify (response: HttpResponse): AdapterError | undefined {
  const { status } = response
  if (status < 400 || status >= 500 || retried.has(status)) return undefined

  const body = parse(response.body)
  const fields = fieldErrors(body)
  const said = describe(body, fields, response.headers['trace-id'])
  if (status === 401) return new AuthenticationError(`the marketplace refused the token${said}`, { status })
  if (status === 403) return new AuthenticationError(`the token does not permit this${said}`, { status })
  if (status === 404) {
    const Unknown = fields.some(({ code }) => unknownOrderCodes.has(code)) ? UnknownOrderError : NotFoundError
    return new Unknown(`the marketplace knows no such object${said}`, { status })
  }
  return new RejectedError(`the marketplace refused the request with ${status}${said}`, { status, fields })
}

/**
 * An order that is not found gets a problem. A 404 that does not name the order, for instance from
 * a gateway, is therefore thrown as a transient error.
 */
export async function ofOrder<Answer> (send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound || error instanceof UnknownOrderError) {
      throw error
    }
    throw new TransientError(`${error.message}, which does not say that the order is unknown`, {
      status: 404,
      cause: error
    })
  }
}

function parse (body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function fieldErrors (body: unknown): FieldError[] {
  return Value.Check(Failure, body) ? toFieldErrors(body.errors) : []
}

export function toFieldErrors (problems: readonly Problem[]): FieldError[] {
  return problems.map(({ code, message, userMessage, path }) => ({
    pointer: patchPointerOf(path ?? ''),
    code: code ?? 'unknown',
    message: quoteAnswer(userMessage ?? message ?? '')
  }))
}

/**
 * Turns a path of the marketplace's offer into a pointer to the member of the hub's patch, or of
 * the marketplace's offer when the patch has no such member.
 */
function patchPointerOf (path: string): string {
  return toPointer(path)
    .replace(/^\/name(?=\/|$)/, '/title')
    .replace(/^\/sellingMode\/price(?=\/|$)/, '/price')
    .replace(/^\/stock(\/available)?$/, '/quantity')
}

// The marketplace writes paths as `sellingMode.price.amount` and `images[0]`.
function toPointer (path: string): string {
  const segments = path.split(/[.[\]]/).filter(segment => segment !== '')
  return segments.map(segment => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

// A token failure has the form of OAuth, not the form of the REST interface.
function describe (body: unknown, fields: readonly FieldError[], traceId: string | undefined): string {
  const texts = Value.Check(TokenFailure, body)
    ? [quoteAnswer(body.error_description ?? body.error)]
    : fields.map(({ code, message }) => `${code}: ${message}`)
  const said = texts.join('; ').slice(0, 500)
  const reason = said === '' ? '' : ` (${said})`
  const trace = traceId === undefined ? '' : ` [trace ${traceId}]`
  return reason + trace
}
