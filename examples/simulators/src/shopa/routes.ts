import type { FastifyInstance } from 'fastify'
import { authenticate, type Key } from './authentication.ts'
import { isRead, outputFormat, parseCall, selectLanguages, singleValues, type Call } from './call.ts'
import { PlainError, WebserviceError, webserviceError } from './errors.ts'
import { parseDisplay, selectRows } from './list-query.ts'
import type { Creators } from './order-writes.ts'
import type { Row } from './product-rows.ts'
import { computedPrices, parsePrices } from './promotions.ts'
import { writeRecords } from './record-writes.ts'
import { contentTypes, renderErrors, renderList, renderRoot, renderSingle } from './render.ts'
import { resources, type ResourceName } from './resources.ts'
import type { State } from './state.ts'

/** The differences between shop versions and installations. Writable while the shop runs. */
export interface Switches {
  /** Whether the webservice is off: it answers 503 with code 22 to a valid key. Default off. */
  webserviceOff: boolean
  /**
   * Whether the shop shows its maintenance page: each address of the module answers 503 with HTML
   * and `Retry-After: 3600`, and no cron run delivers events. The webservice works. Default off.
   */
  maintenance: boolean
  /** Whether the shop knows PATCH. Older ones do not and answer 405. Default on. */
  patch: boolean
  /** Whether the JSON of a single record lacks falsy members. Default on. */
  dropFalsyMembers: boolean
  /**
   * Whether JSON has text for each scalar but the id of the record, as in older shops. Otherwise
   * ids of other records and whole numbers are numbers. Default off.
   */
  textScalars: boolean
  /**
   * Whether the shop has a payment module for orders. Without one, the webservice answers 500 and
   * `importorder` 422. Default on.
   */
  paymentModule: boolean
  /**
   * Whether writes through the webservice fire the shop's hooks, so that the writer's own change
   * comes back as an event. Default on.
   */
  hooksOnWebserviceWrites: boolean
  /**
   * Whether the shop moves an order that is short of stock to 9 (paid) or 12 (not paid) as soon as
   * it is made. Default off.
   */
  backorders: boolean
  /**
   * Whether the shop runs PHP 8: the refusals 28, 32, 35 and 38 are then 500 and have warnings
   * behind them. Default on.
   */
  php8: boolean
}

export interface Webservice {
  state: State
  key: Key
  switches: Switches
  creators: Creators
  /** Ids of the shop's active languages. */
  languages: readonly number[]
  /** Returns the local time. */
  timestamp: () => string
  /** Called after the webservice added or changed a record. */
  onWritten: (resource: ResourceName, row: Row) => void
}

/** Refusals that PHP 8 answers with warnings behind them. */
const noticed: ReadonlySet<number> = new Set([28, 32, 35, 38])
const warnings = [{ code: 3, message: '[PHP Warning #2] Undefined array key "filter"' }]

/** Registers `/api/{resource}` and `/api/{resource}/{id}`. */
export function registerWebservice (app: FastifyInstance, webservice: Webservice): void {
  const { key, languages, switches } = webservice

  // The shop ignores the content type and parses every body as XML.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof PlainError) return reply.code(error.status).type('text/html').send(error.message)
    if (!(error instanceof WebserviceError)) throw error
    const format = outputFormat(request)
    if (switches.php8 && error.errors.some(({ code }) => noticed.has(code))) {
      return reply.code(500).type(contentTypes[format]).send(renderErrors([...error.errors, ...warnings], format))
    }
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="webservice"')
    return reply.code(error.status).type(contentTypes[format]).send(renderErrors(error.errors, format))
  })

  app.get('/api', (request, reply) => reply.redirect(`http://${request.host}/api/`))

  app.all<{ Params: { '*': string } }>('/api/*', async (request, reply) => {
    const query = singleValues(request)
    authenticate(key, request.headers.authorization, query.get('ws_key'))
    if (switches.webserviceOff) throw webserviceError(503, 22, 'The webservice is switched off')
    if (request.params['*'] === '') return reply.type(contentTypes.xml).send(renderRoot(key.permissions, request.host))
    const call = parseCall(request.params['*'], request.method, key, switches.patch)
    const isWrite = !isRead(call.method)
    const isOne = call.id !== undefined && !query.has('display')
    const rendering = {
      resource: call.resource,
      format: outputFormat(request),
      display: displayOf(call, query),
      languages: selectLanguages(languages, query.get('language')),
      dropsFalsyMembers: switches.dropFalsyMembers && (isWrite || isOne),
      hasTextScalars: switches.textScalars || isWrite,
      hasTextId: isWrite,
      apiUrl: `http://${request.host}/api`,
      computed: priceReader(webservice, call, query)
    }
    if (call.method === 'DELETE') {
      deleteRows(webservice, call, query)
      return reply.send('')
    }
    const rows = isRead(call.method) ? readRows(webservice, call, query) : writeRows(webservice, call, request.body)
    const [row] = rows
    // The shop answers 404 without an error object for a missing id.
    if (call.id !== undefined && row === undefined) return reply.code(404).send()
    reply.code(call.method === 'POST' ? 201 : 200).type(contentTypes[rendering.format])
    const isSingle = isOne || (isWrite && call.id !== undefined) || (call.method === 'POST' && rows.length === 1)
    return isSingle && row !== undefined ? renderSingle(row, rendering) : renderList(rows, rendering)
  })
}

/** Returns the function that adds the prices of `price[…]` to a product or a combination. */
function priceReader ({ state, timestamp }: Webservice, call: Call, query: ReadonlyMap<string, string>) {
  const { resource } = call
  const questions = parsePrices(query)
  if (!isRead(call.method) || questions.size === 0 || (resource !== 'products' && resource !== 'combinations')) {
    return undefined
  }
  return (row: Row) => computedPrices(state, resource, row, questions, timestamp())
}

// The shop ignores `display` in the answer to a write. A single record with it is a list of one.
function displayOf ({ method, resource, id }: Call, query: ReadonlyMap<string, string>) {
  const display = query.get('display')
  return isRead(method) && (id === undefined || display !== undefined)
    ? parseDisplay(display, resources[resource])
    : 'full'
}

function readRows ({ state }: Webservice, { resource, id }: Call, query: ReadonlyMap<string, string>): Row[] {
  refuseSchema(query.get('schema'))
  if (id === undefined) return selectRows(state.tables[resource], query, resources[resource])
  const row = state.tables[resource].get(id)
  return row === undefined ? [] : [row]
}

/** The simulator has no schemas, and only refuses what is none. */
function refuseSchema (schema: string | undefined): void {
  if (schema === undefined || schema === 'blank' || schema === 'synopsis') return
  throw webserviceError(400, 28, `The schema "${schema}" does not exist: "blank" or "synopsis"`)
}

function writeRows ({ state, creators, onWritten }: Webservice, { method, resource, id }: Call, body: unknown): Row[] {
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') throw new TypeError(`${method} writes no records`)
  const written = writeRecords(state, { method, resource, urlId: id, body, creators })
  for (const row of written) onWritten(resource, row)
  return written
}

/** Deletes `/products/27` or `/products?id=[27,28]`. If one id is missing, it deletes none. */
function deleteRows ({ state }: Webservice, { resource, id }: Call, query: ReadonlyMap<string, string>): void {
  const ids = id === undefined ? (query.get('id') ?? '').replaceAll(/[[\]]/g, '').split(',') : [String(id)]
  const missing = ids.filter(id => id === '' || state.tables[resource].get(Number(id)) === undefined)
  if (missing.length > 0) throw webserviceError(404, 87, `Id(s) not exists: ${missing.join(', ')}`)
  for (const id of new Set(ids)) {
    if (resource === 'products') state.deleteProduct(Number(id))
    else if (resource === 'combinations') state.deleteCombination(Number(id))
    else state.tables[resource].remove(Number(id))
  }
}
