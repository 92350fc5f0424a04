import {
  NotFoundError,
  OutcomeUnknownError,
  type AdapterError,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse
} from '@linker/sdk'
import type { ShopContext } from './config.ts'
import { classifyFault, failedAddition, failedChange, isMissingRecord, refusal, refusals } from './errors.ts'
import { isShopId } from './products/ids.ts'
import { createKinds, type Kinds } from './products/kinds.ts'
import { parsePermissions, type Permissions } from './webservice/permissions.ts'
import { readRows } from './webservice/read-rows.ts'
import { reference, type Row } from './webservice/row.ts'

// Room for a hundred products in full, with their descriptions in every language of the shop.
const maxResponseBytes = 32 * 1024 * 1024

export type ListQuery = NonNullable<HttpRequest['query']>

/** The requests to the shop's webservice that the capabilities need. */
export interface ShopClient {
  list(resource: string, query: ListQuery, timeoutMs?: number): Promise<Row[]>
  /**
   * Reads one record by its id; `undefined` when the shop has none. Falsy members may be missing:
   * read numbers through `list`.
   */
  get(resource: string, id: string): Promise<Row | undefined>
  /**
   * Changes the members in the body. Returns `false` when the shop is too old for PATCH, or the key
   * may not use it.
   */
  patch(resource: string, id: string, body: string): Promise<boolean>
  /** Replaces the record: a member that the body lacks becomes empty. */
  put(resource: string, id: string, body: string): Promise<void>
  /**
   * Adds a record and returns its id. Throws an `OutcomeUnknownError` when the answer is lost: the
   * shop may have stored the record.
   */
  add(resource: string, body: string): Promise<string>
  /** Deletes a record. A record that is already gone counts as success. */
  remove(resource: string, id: string): Promise<void>
  /** Knowledge about the kinds of products lasts as long as the client. */
  readonly kinds: Kinds
  /**
   * Reads which methods the key may use on each resource. Returns `undefined` when the shop does
   * not list them.
   */
  readPermissions(): Promise<Permissions | undefined>
}

export function createClient (context: ShopContext): ShopClient {
  const { config } = context
  const { apiUrl, apiKey } = context.credentials
  const options: HttpClientOptions = {
    baseUrl: apiUrl,
    auth: { type: 'basic', username: apiKey, password: '' },
    headers: { 'output-format': 'JSON' },
    maxResponseBytes
  }
  const http = context.http({ ...options, classify: response => classifyFault(response) })
  // A client of its own for each write, because the shop may quote the body. `fail` makes the error
  // of a 500. The client throws it itself, so that the hub counts it as a failure of the shop.
  const writing = (sent: string, fail: (response: HttpResponse) => AdapterError) =>
    context.http({
      ...options,
      classify: response => response.status === 500 ? fail(response) : classifyFault(response, sent)
    })
  const root = context.http({
    baseUrl: `${apiUrl}/`,
    auth: { type: 'basic', username: apiKey, password: '' },
    headers: { 'output-format': 'XML' },
    classify: response => classifyFault(response)
  })
  const scope: ListQuery = { id_shop: config.shopId }

  async function list (resource: string, query: ListQuery, timeoutMs?: number): Promise<Row[]> {
    const response = await http.request({
      method: 'GET',
      path: resource,
      query: { ...scope, ...query },
      accept: refusals,
      timeoutMs
    })
    if (response.status >= 400) throw refusal(response, `GET ${resource}`)
    return readRows(response.body)
  }

  async function get (resource: string, id: string): Promise<Row | undefined> {
    const path = `${resource}/${encodeURIComponent(id)}`
    const response = await http.request({ method: 'GET', path, query: scope, accept: refusals })
    if (isMissingRecord(response)) return undefined
    if (response.status >= 400) throw refusal(response, `GET ${resource}`)
    return readRows(response.body)[0]
  }

  async function write (method: 'PATCH' | 'PUT', resource: string, id: string, body: string): Promise<HttpResponse> {
    const fail = (response: HttpResponse) => failedChange(response, `${method} ${resource}`, body)
    const response = await writing(body, fail).request({
      method,
      path: `${resource}/${encodeURIComponent(id)}`,
      query: scope,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body,
      accept: refusals
    })
    if (isMissingRecord(response)) {
      throw new NotFoundError(`${resource} has no record ${id} any more`, { status: response.status })
    }
    // Read the body too: a page of a proxy may say 200 although the shop has written nothing.
    if (response.status < 400) readRows(response.body)
    return response
  }

  async function patch (resource: string, id: string, body: string): Promise<boolean> {
    const response = await write('PATCH', resource, id, body)
    if (response.status === 405) return false
    if (response.status >= 400) throw refusal(response, `PATCH ${resource}`, body)
    return true
  }

  async function put (resource: string, id: string, body: string): Promise<void> {
    const response = await write('PUT', resource, id, body)
    if (response.status >= 400) throw refusal(response, `PUT ${resource}`, body)
  }

  async function add (resource: string, body: string): Promise<string> {
    const response = await writing(body, response => failedAddition(response, resource, body)).request({
      method: 'POST',
      path: resource,
      query: scope,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body,
      accept: refusals
    })
    if (response.status >= 400) throw refusal(response, `POST ${resource}`, body)
    const id = reference(readAdded(response.body, resource).id)
    if (!isShopId(id)) throw new OutcomeUnknownError(`the shop answered POST ${resource} without an id`)
    return id
  }

  async function remove (resource: string, id: string): Promise<void> {
    const response = await http.request({
      method: 'DELETE',
      path: `${resource}/${encodeURIComponent(id)}`,
      query: scope,
      accept: refusals
    })
    if (response.status >= 400 && !isMissingRecord(response)) throw refusal(response, `DELETE ${resource}`)
  }

  async function readPermissions (): Promise<Permissions | undefined> {
    const response = await root.request({ method: 'GET', path: '', accept: refusals, timeoutMs: 5_000 })
    if (response.status === 401 || response.status === 403) throw refusal(response, 'GET /')
    return response.status === 200 ? parsePermissions(response.body) : undefined
  }

  return {
    add,
    remove,
    list,
    get,
    patch,
    put,
    kinds: createKinds(list),
    readPermissions
  }
}

// An unreadable answer does not tell whether the shop stored the record.
function readAdded (body: string, resource: string): Row {
  try {
    return readRows(body)[0] ?? {}
  } catch (cause) {
    throw new OutcomeUnknownError(`the shop's answer to POST ${resource} cannot be read`, { cause })
  }
}

/** Writes a filter of ids: `[27]`, or `[27|28]` for several. A comma would make it a range. */
export function anyOf (ids: readonly string[]): string {
  return `[${ids.join('|')}]`
}
