import { createHash } from 'node:crypto'
import type { HttpExchange } from '../../http/client.ts'
import type { HttpResponse } from '../../http/http.ts'
import { createValueRedactor } from '../redact.ts'
import { jsonOrText, mapExchange } from './map-values.ts'
import { isSecretMember } from './member-words.ts'
import { ownOrigin, type RecordedAnswer, type RecordedExchange, type RecordedRequest } from './recording.ts'

const redacted = '[redacted]'
const shortestSecret = 4
/** A text of this form may be base64 that encodes a secret together with other bytes. */
const encodedForm = /[A-Za-z0-9+/_-]{12,}={0,2}/g

/** The exchanges of one call, and the secrets that the hub found in them: it never shows these. */
export interface RecordedTraffic {
  exchanges: RecordedExchange[]
  secrets: string[]
}

/**
 * Makes the readable form of exchanges, without secrets: without those that `redactText` and any of
 * the exchanges know, wherever they stand and however they are encoded, and without the values of
 * members with the name of a secret. Headers are left out, except those that adapters act on.
 */
export function recordExchanges (
  exchanges: readonly HttpExchange[],
  redactText: (text: string) => string
): RecordedTraffic {
  const plain = exchanges.map(exchange => ({ exchange, recorded: readExchange(exchange) }))
  const secrets = [
    ...new Set(plain.flatMap(({ exchange, recorded }) => [...exchange.secrets, ...namedSecrets(recorded)]))
  ]
  const redactOwn = createValueRedactor(secrets)
  const redact = withEncoded(text => String(redactOwn(redactText(text))))
  return { secrets, exchanges: plain.map(({ recorded }) => withoutSecrets(recorded, redact)) }
}

/** Makes the form of a request to compare with recorded ones. */
export function readableRequest (
  exchange: Omit<HttpExchange, 'answer' | 'failure'>,
  redactText: (text: string) => string
): RecordedRequest {
  const { exchanges: [only] } = recordExchanges([exchange], redactText)
  if (only === undefined) throw new TypeError('one exchange makes one')
  return only.request
}

/**
 * Joins the traffic of several calls. A value that only one of the calls knows as a secret may
 * stand in the others, too.
 */
export function joinTraffic (calls: readonly RecordedTraffic[]): RecordedExchange[] {
  const redactAll = createValueRedactor(calls.flatMap(({ secrets }) => secrets))
  const redact = withEncoded(text => String(redactAll(text)))
  return calls.flatMap(({ exchanges }) => exchanges).map(exchange => withoutSecrets(exchange, redact))
}

/** The exchange with a placeholder for the address of the platform. */
function readExchange (exchange: HttpExchange): RecordedExchange {
  const { url, answer, failure } = exchange
  const { origin } = new URL(url)
  const plain: RecordedExchange = {
    request: readRequest(exchange),
    ...(answer === undefined ? { failure: failure ?? 'FAILED' } : { answer: readAnswer(answer) })
  }
  return mapExchange(plain, ({ value }) =>
    typeof value === 'string'
      ? value.replaceAll(origin, ownOrigin).replaceAll(origin.replaceAll('/', '\\/'), ownOrigin)
      : value)
}

function withoutSecrets (exchange: RecordedExchange, redact: (text: string) => string): RecordedExchange {
  return mapExchange(exchange, ({ name, value }) => {
    if (value === '' || typeof value === 'boolean') return value
    if (isSecretMember(name)) return redacted
    if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redacted
    return redact(value)
  })
}

/** Lists the values of members with the name of a secret, which may stand elsewhere, too. */
function namedSecrets (exchange: RecordedExchange): string[] {
  const found: string[] = []
  mapExchange(exchange, ({ name, value }) => {
    if (typeof value === 'string' && isSecretMember(name) && value.length >= shortestSecret) found.push(value)
    return value
  })
  return found
}

function withEncoded (redact: (text: string) => string): (text: string) => string {
  return text =>
    redact(text).replace(encodedForm, found => {
      const decoded = Buffer.from(found, 'base64').toString('latin1')
      return redact(decoded) === decoded ? found : redacted
    })
}

function readRequest ({ method, url, headers, body }: HttpExchange): RecordedRequest {
  const { pathname, searchParams } = new URL(url)
  const kept = keptHeaders(headers, (name, value) => ofRequests.test(name) && !value.startsWith('application/json'))
  return {
    method,
    path: pathname,
    ...(searchParams.size === 0 ? {} : { query: fieldsOf(searchParams) }),
    ...(kept === undefined ? {} : { headers: kept }),
    ...readBody(body, headers['content-type'])
  }
}

function readBody (body: HttpExchange['body'], type = ''): Partial<RecordedRequest> {
  if (body === undefined) return {}
  const text = typeof body === 'string' ? body : textOf(body)
  if (text === undefined) {
    return { bytes: { length: body.length, sha256: createHash('sha256').update(body).digest('hex') } }
  }
  if (text === '') return {}
  if (type.startsWith('application/x-www-form-urlencoded')) return { form: fieldsOf(new URLSearchParams(text)) }
  return jsonOrText(text)
}

function textOf (bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readAnswer ({ status, headers, body }: HttpResponse): RecordedAnswer {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
  const read = body === '' ? {} : jsonOrText(body, isJson)
  const kept = keptHeaders(headers, name => ofAnswers.test(name) || ofLists.test(name))
  // A JSON answer is replayed as one.
  const { 'content-type': type, ...others } = kept ?? {}
  const shown = 'body' in read && isJson || type === undefined ? others : { 'content-type': type, ...others }
  return {
    status,
    ...(Object.keys(shown).length === 0 ? {} : { headers: shown }),
    ...read
  }
}

function fieldsOf (given: URLSearchParams): NonNullable<RecordedRequest['query']> {
  return Object.fromEntries([...new Set(given.keys())].map(name => {
    const values = given.getAll(name)
    return [name, values.length === 1 ? values[0] ?? '' : values]
  }))
}

const ofRequests = /^(content-type|if-(none-)?match)$/
const ofAnswers = /^(content-type|link|location|etag|last-modified|retry-after)$/
/** Numbers and positions of lists, and what is left of a rate limit. */
const ofLists = /(^|-)(total|count|pages?|next|cursor|limit|remaining|reset)(-|$)/

type Kept = Record<string, string> | undefined

function keptHeaders (
  headers: Readonly<Record<string, string>>,
  isKept: (name: string, value: string) => boolean
): Kept {
  const found = Object.entries(headers).filter(([name, value]) => isKept(name, value) && !isSecretMember(name))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
