import {
  AdapterErrorCode,
  ConfigurationError,
  isAdapterError,
  OutcomeUnknownError,
  quoteAnswer,
  parseJson,
  RejectedError,
  signatureHeader,
  signWebhook,
  timestampHeader,
  TransientError,
  UnavailableError,
  type AdapterError,
  type HttpResponse
} from '@linker/sdk'
import type { ShopClient } from './client.ts'
import { shopUrlOf, type ShopContext } from './config.ts'
import { isRow, text, type Row } from './webservice/row.ts'

export interface ShopModule {
  /** Returns `undefined` when no secret is known to sign with. */
  open(): Promise<OpenModule | undefined>
  /**
   * Makes the module send a `test.ping` to the hub. `secret` is the one that was just installed.
   */
  ping(secret: string): Promise<void>
}

/** The module, with the secret that signs its calls. */
export interface OpenModule {
  /** Sets the shipping costs of one cart, whatever the carrier charges. */
  priceShipping(content: Row): Promise<void>
  /**
   * Makes the order of a cart and returns its id. Returns the existing order's id when the cart
   * already has one.
   */
  importOrder(content: Row): Promise<string>
  /**
   * Calls the module with a body that it refuses after it has checked the signature: this proves
   * that it is there and knows the secret, and has no effect. A ping would send a webhook.
   */
  check(): Promise<void>
}

const secretName = 'LINKER_WEBHOOK_SECRET'
const refusals = [400, 401, 404, 405, 422]
// The module also answers these statuses, and then its effect is unknown. For a request that may be
// repeated, the HTTP client handles them.
const faults = [500, 502]
// The module's own words for a body that it cannot use. A theme or a firewall does not say them.
const proofs = new Set(['invalid-body', 'invalid-fields'])
const pingTimeoutMs = 5_000
/** The maintenance page of the shop concerns only the addresses of its modules. */
const area = 'module'
/** The page asks for an hour, whatever is left of the maintenance. */
const maintenanceRestMs = 60_000

/** The signed front controllers of the module inside the shop. */
export function createModule (client: ShopClient, { http, config, credentials, clock }: ShopContext): ShopModule {
  const shop = http({ baseUrl: shopUrlOf(credentials.apiUrl), classify: findMaintenance })

  async function readSecret (): Promise<string | undefined> {
    if (credentials.moduleSecret !== undefined) return credentials.moduleSecret
    const rows = await client.list('configurations', { 'filter[name]': `[${secretName}]`, display: 'full' })
    return text(rows.find(row => text(row.name) === secretName)?.value)
  }

  async function call (
    controller: string,
    content: Row,
    options: { secret: string, idempotent: boolean, timeoutMs?: number }
  ): Promise<HttpResponse> {
    const body = JSON.stringify(content)
    const timestamp = String(clock.now().getTime())
    const response = await shop.request({
      method: 'POST',
      path: 'index.php',
      query: { fc: 'module', module: config.moduleName, controller },
      area,
      idempotent: options.idempotent,
      timeoutMs: options.timeoutMs,
      accept: options.idempotent ? refusals : [...refusals, ...faults],
      headers: {
        'content-type': 'application/json',
        [timestampHeader]: timestamp,
        [signatureHeader]: signWebhook(options.secret, timestamp, body)
      },
      body
    })
    if (response.status >= 400) throw refused(controller, response, clock.now())
    return response
  }

  return {
    async open () {
      const secret = await readSecret()
      if (secret === undefined) return undefined
      return {
        async priceShipping (content) {
          const response = await call('cartshipping', content, { secret, idempotent: true })
          if (answerOf(response)?.ok !== true) {
            throw new TransientError("the module's answer to cartshipping cannot be read")
          }
        },
        async importOrder (content) {
          // The module makes one order per cart, but two calls at the same time may not see each
          // other: after a lost answer the hub searches for the order first.
          const response = await call('importorder', content, { secret, idempotent: false })
          const id = text(answerOf(response)?.id_order)
          if (id === undefined) throw new OutcomeUnknownError('the module answered importorder without an order')
          return id
        },
        async check () {
          const answer = await call('cartshipping', {}, { secret, idempotent: true, timeoutMs: pingTimeoutMs })
            .then(({ status }) => `HTTP ${status}`, tokenOfRefusal)
          if (proofs.has(answer)) return
          const question = 'is config.moduleName the name of the module, and does a firewall refuse the call?'
          throw new ConfigurationError(`something else than the shop-side module answered (${answer}): ${question}`)
        }
      }
    },
    async ping (secret) {
      await call('ping', {}, { secret, idempotent: false, timeoutMs: pingTimeoutMs })
    }
  }
}

/** The shop answers in place of the module, which did nothing. */
function findMaintenance ({ status, headers }: HttpResponse): AdapterError | undefined {
  const isPage = /^text\/html\b/i.test(headers['content-type'] ?? '')
  if (status !== 503 || !isPage || headers['retry-after'] === undefined) return undefined
  return new UnavailableError('maintenance page, 503', { status, retryAfterMs: maintenanceRestMs })
}

function refused (controller: string, response: HttpResponse, now: Date): Error {
  const { status } = response
  const answer = answerOf(response)
  const token = quoteAnswer(text(answer?.error) ?? '', { longest: 100 }) || `HTTP ${status}`
  if (faults.includes(status)) {
    const said = [token, quoteAnswer(text(answer?.detail) ?? '')].filter(Boolean).join(': ')
    return new OutcomeUnknownError(`the module answered ${controller} with ${said}`, { status })
  }
  if (status === 404 || status === 405) {
    const question = 'is the module installed, and is config.moduleName its name?'
    const remedy = "Without the module, orders need config.orderPath 'webservice'"
    return new ConfigurationError(`the shop has no controller ${controller}: ${question} ${remedy}`, { status })
  }
  if (token === 'timestamp-out-of-window') {
    const clocks = `the clocks of hub and shop differ by ${differenceOf(response, now)}`
    return new TransientError(`${clocks}: the shop-side module refused ${controller} (${token})`, { status })
  }
  if (token === 'invalid-signature' || token === 'misconfigured') {
    const refusal = `the shop-side module refused the signature of ${controller} (${token})`
    const remedy = 'install the webhooks again, or correct credentials.moduleSecret'
    return new ConfigurationError(`${refusal}: ${remedy}`, { status })
  }
  if (status === 401) {
    const failure = `the call of ${controller} did not reach the shop-side module with its signature (${token})`
    const reason = 'something between hub and shop asks for a password or changes headers'
    return new ConfigurationError(`${failure}: ${reason}`, { status })
  }
  return new RejectedError(`the shop-side module refused ${controller}: ${token}`, {
    status,
    fields: [{ pointer: '', code: token, message: token }]
  })
}

/** Returns the word of a refusal with 400, or the status of another one. Throws any other error. */
function tokenOfRefusal (error: unknown): string {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.rejected) throw error
  const [field] = (error as RejectedError).fields
  return error.status === 400 && field !== undefined ? field.code : `HTTP ${error.status}`
}

/** Measures the difference by the time in the answer's `date` header. */
function differenceOf ({ headers }: HttpResponse, now: Date): string {
  const seconds = Math.round(Math.abs(now.getTime() - Date.parse(headers.date ?? '')) / 1_000)
  return Number.isNaN(seconds) ? 'minutes' : `${seconds} seconds`
}

function answerOf ({ body }: HttpResponse): Row | undefined {
  try {
    const answer: unknown = parseJson(body)
    return isRow(answer) ? answer : undefined
  } catch {
    return undefined
  }
}
