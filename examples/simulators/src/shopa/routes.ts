import type { FastifyInstance } from 'fastify'
import { authenticate, type Key } from './authentication.ts'
import { outputFormat, parseCall, selectLanguages, singleValues, type Call } from './call.ts'
import { WebserviceError } from './errors.ts'
import { parseDisplay, selectRows } from './list-query.ts'
import type { Row } from './product-rows.ts'
import { contentTypes, renderErrors, renderList, renderSingle } from './render.ts'
import { resources } from './resources.ts'
import type { State } from './state.ts'
import { writeStock } from './stock-writes.ts'

/** What differs between shop versions and installations. Can be changed while the shop runs. */
export interface Switches {
  /** Off on older shops: PATCH is answered 405. Default on. */
  patch: boolean
  /** Whether falsy members are missing from the JSON of a single record. Default on. */
  dropFalsyMembers: boolean
  /** Whether writes through the webservice fire the shop's hooks, so that the writer's own change comes back as an event. Default on. */
  hooksOnWebserviceWrites: boolean
}

export interface Webservice {
  state: State
  key: Key
  switches: Switches
  /** Ids of the shop's active languages. */
  languages: readonly number[]
  onStockWritten: (row: Row) => void
}

/** `/api/{resource}` and `/api/{resource}/{id}`. */
export function registerWebservice (app: FastifyInstance, webservice: Webservice): void {
  const { key, languages, switches } = webservice

  // The server never looks at the content type: it parses every body as XML.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof WebserviceError)) throw error
    const format = outputFormat(request)
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="webservice"')
    return reply.code(error.status).type(contentTypes[format]).send(renderErrors(error.errors, format))
  })

  app.all<{ Params: { '*': string } }>('/api/*', async (request, reply) => {
    const query = singleValues(request)
    authenticate(key, request.headers.authorization, query.get('ws_key'))
    const call = parseCall(request.params['*'], request.method, key, switches.patch)
    const rendering = {
      resource: call.resource,
      format: outputFormat(request),
      display: displayOf(call, query),
      languages: selectLanguages(languages, query.get('language')),
      dropFalsyMembers: switches.dropFalsyMembers,
      apiUrl: `http://${request.host}/api`
    }
    const rows = isRead(call) ? readRows(webservice, call, query) : writeRows(webservice, call, request.body)
    const [row] = rows
    // A missing id is 404 without an error object.
    if (call.id !== undefined && row === undefined) return reply.code(404).send()
    reply.type(contentTypes[rendering.format])
    return call.id === undefined || row === undefined ? renderList(rows, rendering) : renderSingle(row, rendering)
  })
}

function isRead ({ method }: Call): boolean {
  return method === 'GET' || method === 'HEAD'
}

// On a single record, and in the answer to a write, display is ignored.
function displayOf (call: Call, query: ReadonlyMap<string, string>) {
  return isRead(call) && call.id === undefined ? parseDisplay(query.get('display'), resources[call.resource]) : 'full'
}

function readRows ({ state }: Webservice, { resource, id }: Call, query: ReadonlyMap<string, string>): Row[] {
  if (id === undefined) return selectRows(state.rows(resource), query, resources[resource])
  const row = state.row(resource, id)
  return row === undefined ? [] : [row]
}

function writeRows ({ state, onStockWritten }: Webservice, { method, id }: Call, body: unknown): Row[] {
  const written = writeStock(state, { isFull: method === 'PUT', urlId: id, body })
  written.forEach(onStockWritten)
  return written
}
