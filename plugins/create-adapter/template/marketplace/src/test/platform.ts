import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const apiKey = 'made-up-key-0123456789-abcdef'

const listings = [
  { id: 'mug', title: 'Mug', price: '9.99', stock: 5 },
  { id: 'lamp', title: 'Lamp', price: '49.00', stock: 0 },
  { id: 'chair', title: 'Chair', price: '89.50', stock: 12 }
]
const purchase = {
  id: '1001',
  state: 'paid',
  boughtAt: '2026-01-31T10:00:00Z',
  changedAt: '2026-01-31T10:05:00Z',
  email: 'ada@example.com',
  lines: [{ id: '1001-1', listingId: 'mug', title: 'Mug', pieces: 2, price: '9.99' }],
  total: '24.97',
  delivery: {
    method: 'courier',
    price: '4.99',
    name: 'Ada Nowak',
    street: 'Prosta 1',
    postcode: '00-001',
    city: 'Warszawa',
    country: 'PL'
  }
}
const journal = [
  { id: 'e1', purchaseId: '1001', time: '2026-01-31T10:00:00Z' },
  { id: 'e2', purchaseId: '1001', time: '2026-01-31T10:05:00Z' }
]

interface Request {
  id: string
  query: URLSearchParams
  body: { stock: number }
}

/** The answers by request; undefined for an object that the marketplace does not have. */
const answers: Record<string, (request: Request) => object | undefined> = {
  'GET account': () => ({ id: 'A-1', name: 'Test' }),
  'GET listings': ({ query }) => {
    const start = Number(query.get('after'))
    const end = start + Number(query.get('limit'))
    return { listings: listings.slice(start, end), next: end < listings.length ? String(end) : undefined }
  },
  'PUT listings/:id/stock': ({ id, body: { stock } }) => {
    const listing = listings.find(found => found.id === id)
    return listing === undefined ? undefined : Object.assign(listing, { stock })
  },
  'GET journal': ({ query }) => {
    const start = journal.findIndex(({ id }) => id === query.get('after')) + 1
    const end = start + Number(query.get('limit'))
    return { entries: journal.slice(start, end), hasMore: end < journal.length }
  },
  'GET purchases/:id': ({ id }) => id === purchase.id ? purchase : undefined
}

/** Starts a made-up marketplace. Let it answer as the real one does. */
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
