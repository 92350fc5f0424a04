import t from 'tap'
import { readAnswer } from '../../../src/host/routes/answer.ts'

const read = (answer: unknown) => readAnswer(answer, 'feed')

t.test('an answer is 200 without a body unless it says more', async t => {
  t.strictSame(read({}), { status: 200, headers: {}, body: undefined })
  t.strictSame(read({ status: 201, headers: { Location: '/a' }, body: { a: [1, null], gone: undefined } }), {
    status: 201,
    headers: { location: '/a' },
    body: '{"a":[1,null]}'
  })
  t.equal(read({ body: null }).body, 'null')
})

for (
  const [what, answer] of Object.entries({
    nothing: undefined,
    text: 'ok',
    'an unknown member': { statusCode: 200 },
    'an interim status': { status: 101 },
    'a status that is no integer': { status: 200.5 },
    'a header that is no text': { headers: { etag: 7 } },
    'a cookie': { headers: { 'Set-Cookie': 'a=b' } },
    'a header of CORS': { headers: { 'access-control-allow-origin': '*' } },
    'a header of the connection': { headers: { 'transfer-encoding': 'chunked' } },
    'a header of another platform': { headers: { 'x-mail-token': 'a' } },
    'a header that begins a second one': { headers: { etag: 'a\r\nset-cookie: b' } },
    'a page': { headers: { 'content-type': 'text/html' }, body: '<script>' },
    'a media type with a trick': { headers: { 'content-type': 'application/json, text/html' } },
    'a body with 204': { status: 204, body: {} },
    'a body with 304': { status: 304, body: null }
  })
) {
  t.test(`${what} breaks the contract`, async t => {
    t.throws(() => read(answer), Error)
  })
}

t.test('headers of the platform and JSON in any variant are permitted', async t => {
  const headers = {
    'X-Feed-Page': '2',
    'content-type': 'application/hal+json; charset=utf-8',
    'Cache-Control': 'no-cache'
  }

  t.strictSame(Object.keys(read({ headers }).headers), ['x-feed-page', 'content-type', 'cache-control'])
})

for (
  const [what, value, place] of [
    ['a number that JSON lacks', { a: [1, Number.NaN] }, '/body/a/1'],
    ['a date', { 'a/b': new Date(0) }, '/body/a~1b'],
    ['a map', new Map(), '/body'],
    ['a function', { a: () => 1 }, '/body/a'],
    ['a bigint', { a: 1n }, '/body/a'],
    ['a hole in an array', [undefined], '/body/0']
  ] as const
) {
  t.test(`${what} is named by its place, because JSON would lose it`, async t => {
    t.throws(() => read({ body: value }), { message: new RegExp(`^${place} `) })
  })
}

t.test('a body is at most 64 levels deep and ten megabytes long', async t => {
  const nested = (levels: number): unknown => levels === 0 ? 1 : [nested(levels - 1)]

  t.doesNotThrow(() => read({ body: nested(64) }))
  t.throws(() => read({ body: nested(65) }), RangeError)
  t.doesNotThrow(() => read({ body: 'a'.repeat(10_485_758) }))
  t.throws(() => read({ body: 'a'.repeat(10_485_759) }), RangeError)
})
