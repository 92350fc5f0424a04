import {
  AuthenticationError,
  NotFoundError,
  quoteAnswer,
  RejectedError,
  type AdapterError,
  type HttpResponse
} from '@linker/sdk'
import { readInvalidMembers } from './invalid-members.ts'

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
  const failure = readFailure(response.body)
  const fields = failure === undefined ? [] : readInvalidMembers(failure)
  const named = fields.map(({ pointer, message }) => [pointer, message].filter(Boolean).join(' '))
  const members = named.length === 0 ? '' : `: ${named.join('; ')}`
  return new RejectedError(`the marketplace refused the request with ${status}${said}${members}`, { status, fields })
}

/**
 * Reads the message of a refusal as the end of a sentence. Every member is optional, and the body
 * may not be JSON.
 */
export function readMessage (body: string): string {
  const said = readFailure(body)
  if (said === undefined) return ''

  const member = (name: string) => {
    const value: unknown = Reflect.get(said, name)
    return typeof value === 'string' && value !== '' ? quoteAnswer(value) : undefined
  }
  const messages = [member('message'), member('polishMessage'), member('errorMessage')]
  const texts = new Set(messages.filter(text => text !== undefined))
  const notes = [
    member('failureType') === 'conflict' ? 'a conflict' : undefined,
    // The refusal of a key has no trace, only a span.
    ...['trace', 'span'].filter(name => member(`${name}Id`) !== undefined).slice(0, 1).map(name =>
      `${name} ${member(`${name}Id`)}`
    )
  ].filter(note => note !== undefined)
  const text = texts.size === 0 ? '' : `: ${[...texts].join(' / ')}`
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return text + note
}

function readFailure (body: string): object | undefined {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  try {
    const failure: unknown = JSON.parse(body)
    // A refused parcel has another error body: a list.
    const said: unknown = Array.isArray(failure) ? failure.find(isObject) : failure
    return isObject(said) ? said : undefined
  } catch {
    return undefined
  }
}
