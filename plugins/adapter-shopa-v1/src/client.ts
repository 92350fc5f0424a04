import { NotFoundError, OutcomeUnknownError, type HttpRequest, type HttpResponse, type TestResult } from '@linker/sdk'
import { readRows } from './answers.ts'
import type { ShopContext } from './config.ts'
import { testConnection } from './connection-test.ts'
import { createDrafts, type Drafts } from './drafts.ts'
import { classifyFault, failedAddition, isMissingRecord, refusal, refusals } from './errors.ts'
import { isShopId } from './product-ids.ts'
import { reference, type Row } from './records.ts'

const testTimeoutMs = 5_000
// A hundred products in full, with their descriptions in every language of the shop.
const maxResponseBytes = 32 * 1024 * 1024

export type ListQuery = NonNullable<HttpRequest['query']>

/** What the capabilities need of the shop's webservice. */
export interface ShopClient {
  list(resource: string, query: ListQuery): Promise<Row[]>
  /**
   * One record by its id; `undefined` when the shop has none. Falsy members may be missing in it:
   * read numbers through `list`.
   */
  get(resource: string, id: string): Promise<Row | undefined>
  /**
   * Changes the members in the body; `false` when the shop is too old for it, or the key may not.
   */
  patch(resource: string, id: string, body: string): Promise<boolean>
  /** Replaces the record: a member that is not in the body becomes empty. */
  put(resource: string, id: string, body: string): Promise<void>
  /**
   * Adds a record and answers its id. When the answer is lost, an `OutcomeUnknownError`: it may be
   * there.
   */
  add(resource: string, body: string): Promise<string>
  /** Deletes a record; one that is gone already is success. */
  remove(resource: string, id: string): Promise<void>
  /** What is known of drafts lasts as long as the client. */
  readonly drafts: Drafts
  test(): Promise<TestResult>
}

export function createClient (context: ShopContext): ShopClient {
  const { config } = context
  const { apiUrl, apiKey } = context.credentials
  const http = context.http({
    baseUrl: apiUrl,
    auth: { type: 'basic', username: apiKey, password: '' },
    headers: { 'output-format': 'JSON' },
    maxResponseBytes,
    classify: classifyFault
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
    const response = await http.request({
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
    // Read for what it is: a page that says 200 has written nothing.
    if (response.status < 400) readRows(response.body)
    return response
  }

  async function patch (resource: string, id: string, body: string): Promise<boolean> {
    const response = await write('PATCH', resource, id, body)
    if (response.status === 405) return false
    if (response.status >= 400) throw refusal(response, `PATCH ${resource}`)
    return true
  }

  async function put (resource: string, id: string, body: string): Promise<void> {
    const response = await write('PUT', resource, id, body)
    if (response.status >= 400) throw refusal(response, `PUT ${resource}`)
  }

  async function add (resource: string, body: string): Promise<string> {
    const response = await http.request({
      method: 'POST',
      path: resource,
      query: scope,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body,
      accept: [...refusals, 500]
    })
    if (response.status === 500) throw failedAddition(response, resource)
    if (response.status >= 400) throw refusal(response, `POST ${resource}`)
    const id = reference(readAdded(response.body, resource).id)
    if (!isShopId(id)) throw new OutcomeUnknownError(`POST ${resource} was answered without an id`)
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

  const listAll: ShopClient['list'] = (resource, query) => list(resource, query)
  return {
    add,
    remove,
    list: listAll,
    get,
    patch,
    put,
    drafts: createDrafts(listAll),
    test: () => testConnection(resource => list(resource, { limit: 1 }, testTimeoutMs), config)
  }
}

// An answer that cannot be read says nothing about what was stored.
function readAdded (body: string, resource: string): Row {
  try {
    return readRows(body)[0] ?? {}
  } catch (cause) {
    throw new OutcomeUnknownError(`POST ${resource} was answered with something that cannot be read`, { cause })
  }
}

/** `[27]`, or `[27|28]` for several: a comma would make it a range. */
export function anyOf (ids: readonly string[]): string {
  return `[${ids.join('|')}]`
}
