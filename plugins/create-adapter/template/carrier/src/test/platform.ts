import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const apiKey = 'made-up-key-0123456789-abcdef'

interface Parcel {
  id: string
  reference: string
  number: string
  state: 'ready' | 'moving' | 'delivered' | 'cancelled'
}

const parcels: Parcel[] = []

interface Request {
  id: string
  query: URLSearchParams
  body: { reference: string }
}

const find = (id: string): Parcel | undefined => parcels.find(parcel => parcel.id === id)

function make (reference: string): Parcel {
  const id = String(parcels.length + 1)
  const parcel: Parcel = { id, reference, number: `P${id.padStart(9, '0')}`, state: 'ready' }
  parcels.push(parcel)
  return parcel
}

/** Changes the state of a parcel, as the carrier does when it collects or delivers one. */
export function move (id: string, state: Parcel['state']): Parcel | undefined {
  const parcel = find(id)
  return parcel === undefined ? undefined : Object.assign(parcel, { state })
}

/** The answers by request; undefined for an object that the carrier does not have. */
const answers: Record<string, (request: Request) => object | undefined> = {
  'GET account': () => ({ id: 'A-1', name: 'Test' }),
  // A reference that the carrier knows already makes no second parcel.
  'POST parcels': ({ body: { reference } }) =>
    parcels.find(parcel => parcel.reference === reference) ?? make(reference),
  'GET parcels/:id': ({ id }) => find(id),
  'GET parcels/:id/label': ({ id }) => find(id) && { type: 'text/plain', content: btoa(`Parcel ${id}`) },
  'DELETE parcels/:id': ({ id }) => find(id)?.state === 'ready' ? move(id, 'cancelled') : find(id)
}

/** Starts a made-up carrier. Let it answer as the real one does. */
export async function startPlatform (port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://platform')
    const [, collection, id = '', member] = pathname.split('/')
    const path = [collection, id === '' ? '' : ':id', member].filter(Boolean).join('/')
    const body = JSON.parse(await text(request) || '{}')
    const isKnown = request.headers.authorization === `Bearer ${apiKey}`
    const answer = isKnown ? answers[`${request.method} ${path}`]?.({ id, query, body }) : undefined
    const status = answer === undefined ? 404 : 200
    response.writeHead(isKnown ? status : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const { port: used } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${used}`, close: () => server.close() }
}

// `npm run platform` starts it for a hub on this machine.
if (process.argv[1] === import.meta.filename) {
  const { baseUrl } = await startPlatform(Number(process.argv[2] ?? 4700))
  console.log(`${baseUrl} with the key ${apiKey}`)
}
