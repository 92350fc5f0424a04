import {
  AuthenticationError,
  ConfigurationError,
  OutcomeUnknownError,
  quoteAnswer,
  RejectedError,
  TransientError,
  UnavailableError,
  type AdapterError,
  type HttpResponse
} from '@linker/sdk'
import { readErrors, type ShopError } from './webservice/read-rows.ts'

const noKeyArrived = 16
const keyRefused = [17, 18, 20, 21]
const resourceNotPermitted = 26
const webserviceOff = 22
const unknownShop = 999
const unknownResource = 27
const shopNotPermitted = 132
const missingRecord = new Set([87, 92, 131])
const permanentFaults = new Set([46, 84, 85, 93, 127, 133])
// One refusal can have an error for each member of a record.
const mostErrors = 5
// A fallback of the adapter, and a word of the shop's messages.
const notPersonal = new Set(['Guest', 'Customer'])

/** The statuses that `refusal` turns into an error: their meaning depends on the request. */
export const refusals: readonly number[] = [400, 401, 403, 404, 405]

/**
 * Makes the error for an answer with one of `refusals`. `call` names the request (`GET products`),
 * `sent` is its body.
 */
export function refusal (response: HttpResponse, call: string, sent = ''): AdapterError {
  const errors = readSaid(response, sent)
  const has = (...codes: number[]) => errors.some(error => codes.includes(error.code))
  const said = describe(errors)
  const options = { status: response.status }

  if (has(unknownShop)) return new ConfigurationError(`the shop does not know the configured shopId${said}`, options)
  if (has(shopNotPermitted)) {
    return new ConfigurationError(`${call}: the key has no permission on the configured shop (shopId)${said}`, options)
  }
  // Without a key, the shop answers before its webservice: a page without any code.
  if (has(noKeyArrived) || (response.status === 401 && errors.length === 0)) {
    const cause = "the shop's web server drops the Authorization header: set `CGIPassAuth On` there, or a rewrite rule"
    return new AuthenticationError(
      `no key reached the webservice. Most likely ${cause}. Else the key is missing`,
      options
    )
  }
  if (has(...keyRefused)) return new AuthenticationError(`the shop refused the key${said}`, options)
  if (has(resourceNotPermitted) || response.status === 405) {
    return new ConfigurationError(
      `the key has no permission for ${call}: grant it to this key in the shop${said}`,
      options
    )
  }
  if (response.status === 401 || response.status === 403) {
    return new AuthenticationError(`${call}: the shop refused the key${said}`, options)
  }
  if (has(unknownResource)) {
    return new ConfigurationError(`${call}: this shop's webservice has no such resource${said}`, options)
  }
  if (response.status === 404) {
    const message = `nothing answers ${call} at this address: is apiUrl the address of the shop's webservice?${said}`
    return new ConfigurationError(message, options)
  }
  return new RejectedError(`the shop refused ${call}${said}`, { ...options, fields: fieldErrors(errors) })
}

/**
 * Reads the codes of an answer with a 5xx status. Returns `undefined` to leave it to its status: a
 * bare 500 may be a notice of the shop's PHP. `sent` is the body of the request.
 */
export function classifyFault (response: HttpResponse, sent = ''): AdapterError | undefined {
  const errors = readSaid(response, sent)
  if (errors.some(({ code }) => permanentFaults.has(code) || isOfQuery(code))) {
    return new RejectedError(`the shop refused the sent data${describe(errors)}`, {
      status: response.status,
      fields: fieldErrors(errors)
    })
  }
  if (errors.some(error => error.code === webserviceOff)) {
    return new UnavailableError('the webservice is switched off in the shop, 503', { status: response.status })
  }
  return undefined
}

/**
 * Makes the error for an addition that the shop answered with 500. The shop may have stored the
 * record, unless PHP stopped before: it calls a payment module that the shop does not have.
 */
export function failedAddition (response: HttpResponse, resource: string, sent: string): AdapterError {
  const said = describe(readSaid(response, sent))
  const options = { status: response.status }
  if (resource === 'orders' && response.body.includes('member function validateOrder() on')) {
    const message = 'the shop has no active payment module with the name in config.paymentModule'
    return new ConfigurationError(`${message}: install and activate it, or name another${said}`, options)
  }
  const fault = classifyFault(response, sent)
  if (fault !== undefined) return fault
  const isSilent = resource === 'orders' && response.body.trim() === ''
  const likely = isSilent
    ? ' and said nothing: most likely it has no active payment module with the name in config.paymentModule'
    : said
  return new OutcomeUnknownError(`the shop answered POST ${resource} with ${response.status}${likely}`, options)
}

/**
 * Whether a 404 says that the requested record does not exist. The 404 page of a web server has a
 * body and says nothing about records.
 */
export function isMissingRecord (response: HttpResponse): boolean {
  if (response.status !== 404) return false
  const isBare = response.body.trim() === ''
  return isBare || readErrors(response.body).some(error => missingRecord.has(error.code))
}

/** Makes the error for a change that the shop answered with 500. */
export function failedChange (response: HttpResponse, call: string, sent: string): AdapterError {
  const said = describe(readSaid(response, sent))
  return classifyFault(response, sent) ??
    new TransientError(`the shop answered ${call} with ${response.status}${said}`, { status: response.status })
}

/**
 * Reads the errors of an answer without what they quote. With PHP 8 warnings stand beside a
 * refusal: its first other code says what happened.
 */
function readSaid ({ body }: HttpResponse, sent: string): ShopError[] {
  const errors = readErrors(body)
  const refusals = errors.filter(({ code }) => !isNotice(code))
  const personal = valuesOf(sent)
  return (refusals.length === 0 ? errors : refusals).map(({ code, message }) => ({
    code,
    message: quoteAnswer(beforeMarkup(message), { personal, longest: 200 })
  }))
}

/** Notices and warnings of PHP. */
function isNotice (code: number): boolean {
  return code >= 2 && code <= 15
}

/** Refusals of a query: a schema, filter, display, sort or limit. */
function isOfQuery (code: number): boolean {
  return code >= 27 && code <= 39
}

/**
 * The shop quotes the document that it refuses, or a part of it, which may begin inside a value.
 */
function beforeMarkup (message: string): string {
  const [before = ''] = message.split(/<(?=[!?/\p{L}])|(?=\]\]>)/u, 1)
  return message.startsWith(`${before}]]>`) ? '' : before
}

function valuesOf (sent: string): string[] {
  const values = [...sent.matchAll(/<!\[CDATA\[([^]*?)\]\]>/g)].map(([, value = '']) => value)
  return values.filter(value => /\p{L}|(?:\d\D*){5}/u.test(value) && !notPersonal.has(value))
}

function describe (errors: readonly ShopError[]): string {
  if (errors.length === 0) return ''
  const told = errors.slice(0, mostErrors).map(({ code, message }) =>
    message === '' ? `code ${code}` : `code ${code}: ${message}`
  )
  return ` (${told.join('; ')})`
}

function fieldErrors (errors: readonly ShopError[]) {
  return errors.map(error => ({ pointer: '', code: String(error.code), message: error.message }))
}
