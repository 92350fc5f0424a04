import { RejectedError, type HttpClient, type Page, type PageRequest, type StockLevel } from '@linker/sdk'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, createContext, importExample } from './guide.ts'

t.test('the listing of the example counts pages, asks for no more than the platform gives, and ends', async t => {
  const { listStock } = await importExample(t, codeOf('docs/paging.md')) as {
    listStock: (client: HttpClient, request: PageRequest) => Promise<Page<StockLevel>>
  }
  const upstream = await startUpstream(t, ({ url = '' }, response) => {
    const page = new URL(url, 'http://feed').searchParams.get('page')
    response.end(JSON.stringify({ stocks: [{ article: `a-${page}`, pieces: 3 }], pages: 2 }))
  })
  const client = createContext(t, upstream.baseUrl).http({ baseUrl: upstream.baseUrl })

  const first = await listStock(client, { limit: 200 })
  const last = await listStock(client, { limit: 50, cursor: first.nextCursor ?? '' })

  t.strictSame(first, {
    items: [{ productExternalId: 'a-1', variantExternalId: 'a-1', quantity: 3 }],
    nextCursor: '2'
  })
  t.match(last, { items: [{ productExternalId: 'a-2' }], nextCursor: undefined })
  t.strictSame(upstream.requests.map(({ url }) => url), [
    '/stocks?page=1&per_page=100&sort=id',
    '/stocks?page=2&per_page=50&sort=id'
  ])
})

type ListStock = (client: HttpClient, request: PageRequest) => Promise<Page<StockLevel>>

/** Reads a listing to its end, with the cursors that it answers. */
async function readAll (listStock: ListStock, client: HttpClient, limit: number): Promise<Page<StockLevel>[]> {
  const pages: Page<StockLevel>[] = []
  let cursor: string | undefined
  do {
    const page = await listStock(client, { limit, ...cursor === undefined ? {} : { cursor } })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== undefined && pages.length < 1_000)
  return pages
}

t.test('the listing of a platform with pages of 250 loses and repeats nothing, whatever the limit is', async t => {
  const { listStock } = await importExample(t, codeOf('docs/paging.md', 'ts', 1)) as { listStock: ListStock }
  const counts = { stocks: 0 }
  const upstream = await startUpstream(t, ({ url = '' }, response) => {
    const page = Number(new URL(url, 'http://feed').searchParams.get('page'))
    const all = Array.from({ length: counts.stocks }, (_, index) => ({ article: `a-${index}`, pieces: index }))
    const stocks = all.slice((page - 1) * 250, page * 250)
    response.end(JSON.stringify({ stocks, pages: Math.max(1, Math.ceil(counts.stocks / 250)) }))
  })
  const client = createContext(t, upstream.baseUrl).http({ baseUrl: upstream.baseUrl })

  for (const [stocks, limit] of [[0, 200], [250, 250], [510, 200], [500, 100], [3, 1], [251, 1_000]] as const) {
    counts.stocks = stocks
    const pages = await readAll(listStock, client, limit)
    const read = pages.flatMap(({ items }) => items.map(({ quantity }) => quantity))

    t.strictSame(read, Array.from({ length: stocks }, (_, index) => index), `${stocks} by ${limit}`)
    t.ok(pages.every(({ items }) => items.length <= limit))
  }
})

t.test('the listing of a platform with the stock of one product leaves out a product that is gone', async t => {
  const { listStock } = await importExample(t, codeOf('docs/paging.md', 'ts', 2)) as { listStock: ListStock }
  const statuses = { gone: 404 }
  const upstream = await startUpstream(t, ({ url = '' }, response) => {
    if (url === '/articles?limit=50') {
      response.end(JSON.stringify({ articles: [{ id: 'a' }, { id: 'gone' }, { id: 'b' }], next: 'p2' }))
    } else if (url === '/articles/gone/stock') response.writeHead(statuses.gone).end('{}')
    else response.end('{"pieces":3}')
  })
  const client = createContext(t, upstream.baseUrl).http({ baseUrl: upstream.baseUrl })

  const { items, nextCursor } = await listStock(client, { limit: 200 })
  statuses.gone = 422

  t.strictSame([items.map(({ productExternalId }) => productExternalId), nextCursor], [['a', 'b'], 'p2'])
  t.strictSame(await listStock(client, { limit: 200 }).catch((error: unknown) => error instanceof RejectedError), true)
})
