import type { HttpClient, Page, PageRequest, StockLevel } from '@linker/sdk'
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
