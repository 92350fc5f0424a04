import { escapeUnprintable } from '@linker/sdk/host/text'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { readConfig, type Config } from '../config.ts'
import { adminTokenPath } from '../http/admin-token.ts'

export interface HubOptions {
  url?: string
  token?: string
}

/**
 * Calls the API of a running hub. Its address and token come from the options, then from the
 * environment of this project.
 */
export interface HubClient {
  readonly url: string
  call(method: Method, path: string, body?: unknown, options?: CallOptions): Promise<unknown>
  /** All pages of a listing, or those with its first `most` rows. */
  list(path: string, query?: ListQuery, most?: number): Promise<unknown[]>
}

export interface DownloadingClient extends HubClient {
  /** The bytes that a route answers, however long the hub takes to make them. */
  download(method: Method, path: string): Promise<Readable>
}

export interface CallOptions {
  /** The hub does the same thing once, however often it gets the request with this key. */
  idempotencyKey?: string
}

/** Parameters of a listing; one that is undefined is not sent. */
export type ListQuery = Readonly<Record<string, string | undefined>>

type RequestOptions = Partial<Dispatcher.RequestOptions>
type HubHeaders = Record<string, string | undefined>
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface HubProblem {
  code?: string
  detail?: string
  errors?: { pointer: string, code: string, message: string }[]
}

/** A failed call, in a sentence for the terminal. */
export class HubError extends Error {
  /** The answer of the hub, if there was one. */
  readonly problem: HubProblem | undefined
  /** Why the request could not be sent. Set when a caller can continue without the hub. */
  readonly notAsked: 'unreachable' | 'no token' | undefined

  constructor (message: string, options?: ErrorOptions & Partial<Pick<HubError, 'problem' | 'notAsked'>>) {
    super(message, options)
    this.problem = options?.problem
    this.notAsked = options?.notAsked
  }
}

export async function createHubClient (
  environment: NodeJS.ProcessEnv,
  workingDirectory: string,
  options: HubOptions
): Promise<DownloadingClient> {
  const config = readConfig(environment, workingDirectory)
  const url = hubAddress(config, options.url)
  const { token, source } = await findToken(config, options.token, url)

  /** Throws `HubError` when the hub does not answer, or answers with a problem. */
  async function ask (
    method: Method,
    path: string,
    { headers, ...options }: Pick<RequestOptions, 'body' | 'headersTimeout'> & { headers?: HubHeaders } = {}
  ): Promise<Dispatcher.ResponseData> {
    const response = await request(url + path, {
      ...options,
      method,
      headers: { authorization: `Bearer ${token.trim()}`, ...headers }
    }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new HubError(`the hub at ${url} does not answer (${why}); is it running?`, { notAsked: 'unreachable' })
    })
    if (response.statusCode < 400) return response
    const text = await response.body.text()
    if (response.statusCode !== 401) throw problemError(response.statusCode, text)
    throw new HubError(`401 LNK_UNAUTHORIZED: the hub at ${url} refuses the token from ${source}: it is wrong, ` +
      'revoked or past its end; `linker token` prints a right one on the machine of the hub')
  }

  async function send (
    method: Method,
    path: string,
    body?: unknown,
    { idempotencyKey }: CallOptions = {}
  ): Promise<{ value: unknown, next: string | undefined }> {
    const response = await ask(method, path, {
      headers: {
        'content-type': body === undefined ? undefined : 'application/json',
        'idempotency-key': idempotencyKey
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.body.text()
    return {
      value: text === '' ? undefined : parseAnswer(url, text),
      next: /^<([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
    }
  }

  return {
    url,
    call: async (method, path, body, options) => (await send(method, path, body, options)).value,
    download: async (method, path) => (await ask(method, path, { headersTimeout: 0 })).body,
    async list (path, query = {}, most = Number.POSITIVE_INFINITY) {
      const rows: unknown[] = []
      for (let page: string | undefined = path + searchOf(query); page !== undefined && rows.length < most;) {
        const { value, next } = await send('GET', page)
        rows.push(...Array.isArray(value) ? value : [])
        // Take only the query of the link: a proxy may have put a path before the hub's own.
        page = next === undefined ? undefined : path + new URL(next, url).search
      }
      return rows.slice(0, most)
    }
  }
}

const pageSize = '200'

function searchOf (query: ListQuery): string {
  const wanted = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `?${new URLSearchParams([['limit', pageSize], ...wanted]).toString()}`
}

async function findToken (
  config: Config,
  given: string | undefined,
  url: string
): Promise<{ token: string, source: string }> {
  if (given !== undefined) return { token: given, source: '--token' }
  if (config.clientToken !== undefined) return { token: config.clientToken, source: 'LINKER_TOKEN' }
  if (!isOnThisMachine(url) && originOf(url) !== originOf(ownAddress(config))) {
    throw new HubError(`no token for ${url}: set LINKER_TOKEN or pass --token; the token of this folder is not sent ` +
      'to another machine')
  }
  if (config.adminToken !== undefined) return { token: config.adminToken, source: 'ADMIN_TOKEN' }
  const path = adminTokenPath(config)
  try {
    return { token: await readFile(path, 'utf8'), source: path }
  } catch (error) {
    throw new HubError(`no token: set LINKER_TOKEN, pass --token, or run this command where the hub stores ${path}`, {
      cause: error,
      notAsked: 'no token'
    })
  }
}

function parseAnswer (url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HubError(`the server at ${url} is not a hub`, { cause: error })
  }
}

// A server can listen on these addresses, but a client cannot connect to them.
const everywhere: ReadonlyMap<string, string> = new Map([['0.0.0.0', '127.0.0.1'], ['::', '::1']])

/** The address in `--url` or `LINKER_URL`, else the one that the hub of this project listens on. */
export function hubAddress (config: Pick<Config, 'host' | 'port' | 'clientUrl'>, option: string | undefined): string {
  const given = option ?? config.clientUrl
  if (given !== undefined) return parseAddress(option === undefined ? 'LINKER_URL' : '--url', given)
  return parseAddress('the address of HOST and PORT', ownAddress(config))
}

function parseAddress (name: string, given: string): string {
  const address = URL.parse(given)
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new HubError(`${name} '${given}' is not an address such as http://127.0.0.1:3000`)
  }
  // Leave the address out of the sentence: its password would be a secret.
  if (address.username + address.password !== '' || /[?#]/.test(given)) {
    throw new HubError(`${name} must be an address without a user name, a password, a query and a fragment, such as ` +
      'http://127.0.0.1:3000')
  }
  return address.href.replace(/\/+$/, '')
}

function ownAddress ({ host: given, port }: Pick<Config, 'host' | 'port'>): string {
  const host = everywhere.get(given) ?? given
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function originOf (url: string): string | undefined {
  return URL.parse(url)?.origin
}

function isOnThisMachine (url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
}

/** Reads the JSON text of an option. */
export function parseJsonOption (option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Leave out the parser's words: they quote the text, which may be a secret.
    throw new HubError(`${option} is not JSON`, { cause: error })
  }
}

function problemError (status: number, text: string): HubError {
  try {
    const problem = JSON.parse(text) as HubProblem
    return new HubError(describeProblem(status, problem), { problem })
  } catch {
    return new HubError(`the hub answered ${status}`)
  }
}

/** Does not print a detail that only repeats the errors. */
function describeProblem (status: number, { code = '', detail = '', errors = [] }: HubProblem): string {
  const isMadeOfErrors = errors.length > 0 && errors.every(({ message }) => detail.includes(message))
  const [general, located] = [
    errors.filter(({ pointer }) => pointer === ''),
    errors.filter(({ pointer }) => pointer !== '')
  ]
  const said = isMadeOfErrors ? general.map(({ message }) => message).join('; ') : detail
  return [
    `${status} ${code}${said === '' ? '' : `: ${said}`}`,
    ...located.map(({ pointer, message }) => `  ${pointer}: ${message}`)
  ].map(escapeUnprintable).join('\n')
}
