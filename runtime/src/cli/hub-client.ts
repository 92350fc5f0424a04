import {
  createClient,
  ProblemError,
  UnexpectedAnswerError,
  UnreachableError,
  type Answer,
  type AnyOperation,
  type Arguments,
  type Fetch,
  type FetchAnswer,
  type HubPaths,
  type Method as LowerMethod,
  type PathOf,
  type Request
} from '@linker/client'
import { escapeUnprintable } from '@linker/sdk/host/text'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { ownAddress } from '../config/own-address.ts'
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

/** Calls the hub's own operations with the types of its description. */
export interface TypedClient extends HubClient {
  get: Typed<'get'>
  post: Typed<'post'>
}

export interface DownloadingClient extends TypedClient {
  /** The bytes that a route answers, however long the hub takes to make them. */
  download(method: Method, path: string): Promise<Readable>
}

export interface CallOptions {
  /** The hub does the same thing once, however often it gets the request with this key. */
  idempotencyKey?: string
}

/** Parameters of a listing; one that is undefined is not sent. */
export type ListQuery = Readonly<Record<string, string | undefined>>

type Typed<M extends LowerMethod> = <P extends PathOf<HubPaths, M>>(
  path: P,
  ...request: Arguments<TypedRequest<Request<HubPaths, M, P>>>
) => Promise<Answer<HubPaths, M, P>['data']>

/** A person types the values of a query, so the hub judges them. The compiler knows the names. */
type TypedRequest<R extends { query?: unknown }> = Omit<R, 'query'> & {
  query?: { [Name in keyof NonNullable<R['query']>]?: string | number | boolean | undefined }
}

type Method = Uppercase<LowerMethod>
/** The commands name operations by the paths that they make, also those of adapters. */
type AnyPaths = Record<string, Record<LowerMethod, AnyOperation>>

/** The part of a problem that commands read. */
type HubProblem = Partial<Pick<ProblemError, 'code' | 'detail' | 'errors'>>

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
  const { readConfig } = await import('../config.ts')
  const config = readConfig(environment, workingDirectory)
  const url = hubAddress(config, options.url)
  const { token, source } = await findToken(config, options.token, url)
  const isWorker = config.role === 'worker' && (options.url ?? config.clientUrl) === undefined

  const open = (limits: Limits = {}) =>
    createClient<AnyPaths, StreamedAnswer>({ url, token, fetch: createTransport(limits) })
  const client = open()
  const orHubError = async <Value>(asking: Promise<Value>): Promise<Value> =>
    asking.catch((error: unknown) => {
      throw isWorker && hasNoRoute(error) ? workerError(url, error) : toHubError(error, url, source)
    })

  async function readList (path: string, query: ListQuery, most: number): Promise<unknown[]> {
    const rows: unknown[] = []
    for await (const row of client.list(path, { query })) {
      // Stop at the last row and not after it: the next row may be on a page of its own.
      if (rows.push(row) >= most) break
    }
    return rows
  }

  const typed = <M extends LowerMethod>(method: M) =>
    (async (path: string, request?: Request<AnyPaths, M, string>) =>
      orHubError(client[method](path, request))) as Typed<M>

  return {
    url,
    get: typed('get'),
    post: typed('post'),
    async call (method, path, body, { idempotencyKey } = {}) {
      return orHubError(client[lower(method)](path, { body, idempotencyKey }))
    },
    // The hub may take longer than any limit before it sends the first byte of a backup.
    download: async (method, path) => (await orHubError(open({ firstByteMs: 0 }).open(lower(method), path))).body,
    list: async (path, query = {}, most = Number.POSITIVE_INFINITY) => orHubError(readList(path, query, most))
  }
}

/** How long a hub may send nothing before the command gives up. */
const longestSilenceMs = 300_000

interface Limits {
  /** How long a hub may take to begin its answer; 0 for as long as it likes. */
  firstByteMs?: number
}

interface StreamedAnswer extends FetchAnswer {
  body: Readable
}

/**
 * Sends requests with the modules of Node. Its `fetch` cannot wait for an answer without a limit,
 * and loading undici takes a fifth of the processor time of a command.
 */
function createTransport ({ firstByteMs = longestSilenceMs }: Limits): Fetch<StreamedAnswer> {
  return async (url, { body, ...options }) => {
    const sender = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
    const request = sender.request(url, options)
    // The stream of an answer tells why it broke off. The request may tell it too, and an error
    // without a listener ends the process.
    request.on('error', () => undefined)
    request.setTimeout(firstByteMs, () => {
      request.destroy(silence(firstByteMs))
    })
    request.end(body)
    const [answer] = await once(request, 'response') as [IncomingMessage]
    request.removeAllListeners('timeout').setTimeout(longestSilenceMs, () => {
      answer.destroy(silence(longestSilenceMs))
    })
    return {
      status: answer.statusCode ?? 0,
      headers: { get: name => answer.headers[name]?.toString() ?? null },
      text: () => text(answer),
      body: answer
    }
  }
}

function silence (milliseconds: number): Error {
  return new Error(`nothing within ${milliseconds / 1_000} s`)
}

function lower (method: Method): LowerMethod {
  return method.toLowerCase() as LowerMethod
}

function hasNoRoute (error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'LNK_NOT_FOUND'
}

function workerError (url: string, cause: unknown): HubError {
  return new HubError(
    `the process at ${url} has the role worker and serves no API; pass --url or set LINKER_URL to ` +
      'ask a process with the role http or all',
    { cause }
  )
}

/** Says what happened in a sentence for the terminal. */
function toHubError (error: unknown, url: string, source: string): unknown {
  if (error instanceof UnreachableError) {
    const advice = isUnknownAuthority(error)
      ? 'name the certificate of its authority in NODE_EXTRA_CA_CERTS'
      : 'is it running?'
    return new HubError(`${error.message}; ${advice}`, { notAsked: 'unreachable', cause: error })
  }
  if (error instanceof ProblemError || error instanceof UnexpectedAnswerError) {
    const { status } = error
    if (status === 401) {
      return new HubError(`401 LNK_UNAUTHORIZED: the hub at ${url} refuses the token from ${source}: it is wrong, ` +
        'revoked or past its end; `linker token` prints a right one on the machine of the hub')
    }
    if (error instanceof ProblemError) {
      return new HubError(describeProblem(status, error), { problem: error })
    }
    return new HubError(status < 400 ? error.message : `the hub answered ${status}`, { cause: error })
  }
  return error
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

/** Does not print a detail that only repeats the errors. */
/** The codes of OpenSSL for a certificate that no known authority has signed. */
const unknownAuthority: ReadonlySet<unknown> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
])

function isUnknownAuthority (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && unknownAuthority.has(error.code)) || isUnknownAuthority(error.cause)
}

/** The command made the request, so a person knows its parts by their names alone. */
function placeOf (pointer: string, code: string): string {
  return code === 'LNK_REQUEST_INVALID' ? pointer.replace(/^\/(?:querystring|params)\//, '') : pointer
}

function describeProblem (status: number, { code, detail, errors = [] }: ProblemError): string {
  const isMadeOfErrors = errors.length > 0 && errors.every(({ message }) => detail.includes(message))
  const [general, located] = [
    errors.filter(({ pointer }) => pointer === ''),
    errors.filter(({ pointer }) => pointer !== '')
  ]
  const said = isMadeOfErrors ? general.map(({ message }) => message).join('; ') : detail
  return [
    `${status} ${code}${said === '' ? '' : `: ${said}`}`,
    ...located.map(({ pointer, message }) => `  ${placeOf(pointer, code)}: ${message}`)
  ].map(escapeUnprintable).join('\n')
}
