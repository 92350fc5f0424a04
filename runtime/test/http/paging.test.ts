import t from 'tap'
import {
  decodeCursor,
  decodeIdCursor,
  encodeCursor,
  encodeIdCursor,
  isAfter,
  linkNextPage
} from '../../src/http/paging.ts'
import { authorized, buildHttpApp } from './support.ts'

const id = '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'
const createdAt = '2026-01-31T09:59:33.912Z'
const cursorOf = (text: string): string => Buffer.from(text).toString('base64url')

t.test('a cursor leads back to the position that it was made of', async t => {
  const first = { createdAt: '1970-01-01T00:00:00.000Z', id }

  t.strictSame(decodeCursor(encodeCursor({ createdAt, id })), { createdAt, id })
  t.strictSame(decodeCursor(encodeCursor(first)), first)
})

for (
  const [what, cursor] of Object.entries({
    'text that is no base64': '€',
    'a day that does not exist': cursorOf(`2026-02-31T09:59:33.912Z|${id}`),
    'an hour that does not exist': cursorOf(`2026-01-31T25:59:33.912Z|${id}`),
    'a time without milliseconds': cursorOf(`2026-01-31T09:59:33Z|${id}`),
    'a year that PostgreSQL refuses': cursorOf(`0000-01-31T09:59:33.912Z|${id}`),
    'an id that is no UUID': cursorOf(`${createdAt}|${id}'`),
    'a third part': cursorOf(`${createdAt}|${id}|`),
    'one part': cursorOf(createdAt),
    nothing: ''
  })
) {
  t.test(`${what} is refused: the database would fail on it`, async t => {
    t.throws(() => decodeCursor(cursor), { code: 'LNK_REQUEST_INVALID', statusCode: 400 })
  })
}

t.test('a cursor of ids of a platform leads back to the id, and no other text does', async t => {
  for (const externalId of ['1', 'hub-variant-1', 'żółw 🐢', 'x'.repeat(1_023)]) {
    t.equal(decodeIdCursor(encodeIdCursor(externalId)), externalId)
  }
  for (const cursor of ['', '€', 'YQ==', 'YR', cursorOf('a\0'), Buffer.from([0xff]).toString('base64url')]) {
    t.throws(() => decodeIdCursor(cursor), { code: 'LNK_REQUEST_INVALID', statusCode: 400 }, cursor)
  }
})

t.test('rows of the same time are told apart by their ids', async t => {
  t.strictSame(isAfter({ createdAt, id }), {
    $or: [{ createdAt: { $gt: new Date(createdAt) } }, { createdAt: new Date(createdAt), id: { $gt: id } }]
  })
})

t.test('a full page links to the next one and keeps the filters; the last page has no link', async t => {
  const rows = [{ createdAt: '2026-01-01T00:00:00.000Z', id }, { createdAt, id }]
  const { app } = await buildHttpApp(t, {
    routes (app) {
      app.get<{ Querystring: { limit: string } }>('/rows', { config: { scope: 'admin' } }, async (request, reply) => {
        linkNextPage(request, reply, rows, Number(request.query.limit))
        return rows
      })
    }
  })
  const linkOf = async (query: string) =>
    (await app.inject({ url: `/rows?${query}`, headers: authorized })).headers.link

  const cursor = encodeCursor({ createdAt, id })
  t.equal(await linkOf('status=active&limit=2'), `</rows?status=active&limit=2&cursor=${cursor}>; rel="next"`)
  t.equal(await linkOf('cursor=before&limit=2'), `</rows?cursor=${cursor}&limit=2>; rel="next"`)
  t.equal(await linkOf('limit=3'), undefined)
  rows.length = 0
  t.equal(await linkOf('limit=0'), undefined)
})
