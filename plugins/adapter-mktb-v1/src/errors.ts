import { AuthenticationError, NotFoundError, RejectedError, type AdapterError, type HttpResponse } from '@linker/sdk'

/** Statuses below 500 that the runtime retries by itself. */
const retried: ReadonlySet<number> = new Set([408, 425, 429])

/** Turns a refusal of the marketplace into an error. Leaves 429 and 5xx to the runtime. */
export function classify (response: HttpResponse): AdapterError | undefined {
  const { status } = response
  if (status < 400 || status >= 500 || retried.has(status)) return undefined

  const said = readMessage(response.body)
  if (status === 401 || status === 403) {
    return new AuthenticationError(`the marketplace refused the API key${said}`, { status })
  }
  if (status === 404) return new NotFoundError(`the marketplace knows no such object${said}`, { status })
  return new RejectedError(`the marketplace refused the request with ${status}${said}`, { status })
}

/**
 * Reads the message of a refusal as the end of a sentence. Every member is optional, and the body
 * may not be JSON.
 */
export function readMessage (body: string): string {
  let failure: unknown
  try {
    failure = JSON.parse(body)
  } catch {
    return ''
  }
  if (typeof failure !== 'object' || failure === null) return ''
  // A refused parcel has another error body: a list.
  const isObject = (item: unknown): item is object => typeof item === 'object' && item !== null
  const said: object = Array.isArray(failure) ? failure.find(isObject) ?? {} : failure

  const member = (name: string) => {
    const value: unknown = Reflect.get(said, name)
    return typeof value === 'string' && value !== '' ? value.slice(0, 300) : undefined
  }
  const messages = [member('message'), member('polishMessage'), member('errorMessage')]
  const texts = new Set(messages.filter(text => text !== undefined))
  const notes = [
    member('failureType') === 'conflict' ? 'a conflict' : undefined,
    member('traceId') === undefined ? undefined : `trace ${member('traceId')}`
  ].filter(note => note !== undefined)
  const text = texts.size === 0 ? '' : `: ${[...texts].join(' / ')}`
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return text + note
}
