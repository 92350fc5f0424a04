import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const apiKey = 'made-up-key-0123456789-abcdef'

const articles = [
  { id: '1', title: 'Mug', isOnSale: true, price: '9.99', currency: 'EUR', stock: 5 },
  { id: '2', title: 'Lamp', isOnSale: true, price: '49.00', currency: 'EUR', stock: 0 },
  { id: '3', title: 'Chair', isOnSale: false, price: '89.50', currency: 'EUR', stock: 12 }
]

interface Request {
  id: string
  query: URLSearchParams
  body: unknown
}

/** The answers by request; undefined for an object that the shop does not have. */
const answers: Record<string, (request: Request) => object | undefined> = {
  'GET account': () => ({ id: 'A-1', name: 'Test' }),
  'GET articles/:id': ({ id }) => articles.find(article => article.id === id),
  'GET articles': ({ query }) => {
    const start = Number(query.get('after'))
    const end = start + Number(query.get('limit'))
    return { articles: articles.slice(start, end), next: end < articles.length ? String(end) : undefined }
  }
}

/** Starts a made-up shop. Let it answer as the real one does. */
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
