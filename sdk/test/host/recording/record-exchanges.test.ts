import { joinTraffic, recordExchanges, type HttpExchange, type RecordedExchange } from '@linker/sdk/host'
import t from 'tap'

const secret = 'canary-7f3a9b'
const redactSecret = (text: string): string => text.replaceAll(secret, '[redacted]')

const exchange = (change: Partial<HttpExchange> = {}): HttpExchange => ({
  method: 'GET',
  url: 'https://shop.test/api/products?limit=10&limit=20&page=2',
  headers: { accept: 'application/json', authorization: `Bearer ${secret}`, 'user-agent': 'linker/0.1.0' },
  body: undefined,
  secrets: [],
  isIdempotent: true,
  answer: {
    status: 200,
    headers: { 'content-type': 'application/json', date: 'today', 'x-total-count': '3' },
    body: '{"id":27}'
  },
  ...change
})
function recordExchange (given: HttpExchange, redactText: (text: string) => string): RecordedExchange {
  const [recorded] = recordExchanges([given], redactText).exchanges
  if (recorded === undefined) throw new TypeError('nothing was recorded')
  return recorded
}

const answer = (body: string, type = 'application/json') => ({
  answer: { status: 200, headers: { 'content-type': type }, body }
})

t.test('the query and the JSON of an exchange are values, and headers without a meaning are left out', async t => {
  t.strictSame(recordExchange(exchange(), redactSecret), {
    request: { method: 'GET', path: '/api/products', query: { limit: ['10', '20'], page: '2' } },
    answer: { status: 200, headers: { 'x-total-count': '3' }, body: { id: 27 } }
  })
})

t.test('a body that is no JSON stays a text, a form becomes its fields, and bytes become their hash', async t => {
  const bodyOf = (body: HttpExchange['body'], type: string) =>
    recordExchange(exchange({ method: 'POST', body, headers: { 'content-type': type } }), redactSecret).request

  t.match(bodyOf('<a>1</a>', 'text/xml'), { headers: { 'content-type': 'text/xml' }, text: '<a>1</a>' })
  t.match(bodyOf('a=1&b=2&b=3', 'application/x-www-form-urlencoded'), { form: { a: '1', b: ['2', '3'] } })
  t.match(bodyOf(Buffer.from('{"a":1}'), 'application/json'), { body: { a: 1 } })
  t.match(bodyOf(Buffer.from([0xff, 0xfe]), 'image/png'), { bytes: { length: 2, sha256: /^[0-9a-f]{64}$/ } })
  t.notOk('headers' in bodyOf('{"a":1}', 'application/json'))
})

t.test('JSON whose numbers JavaScript would change stays a text', async t => {
  t.match(recordExchange(exchange(answer('{"id":12345678901234567890}')), redactSecret).answer, {
    headers: { 'content-type': 'application/json' },
    text: '{"id":12345678901234567890}'
  })
})

t.test('a failure in place of an answer is recorded by its code', async t => {
  const { answer: _answer, ...failed } = exchange({ failure: 'ECONNRESET' })

  t.strictSame(recordExchange(failed, redactSecret).failure, 'ECONNRESET')
})

t.test('the address of the platform becomes a placeholder, wherever it stands', async t => {
  const { request, answer: recorded } = recordExchange(
    exchange({
      url: 'https://shop.test/api/orders?callback=https%3A%2F%2Fshop.test%2Fdone',
      ...answer('{"next":"https:\\/\\/shop.test\\/api\\/orders?after=5"}')
    }),
    redactSecret
  )

  t.equal(request.query?.callback, '{origin}/done')
  t.strictSame(recorded?.body, { next: '{origin}/api/orders?after=5' })
})

const places: Record<string, Partial<HttpExchange>> = {
  'the path': { url: `https://shop.test/keys/${secret}/orders` },
  'the query': { url: `https://shop.test/orders?q=${secret}` },
  'a member of the query with the name of a secret': { url: `https://shop.test/orders?api_key=other-${secret}` },
  'a header of the request': { headers: { 'x-shop': secret, 'if-match': `"${secret}"` } },
  'a header of the answer': {
    answer: { status: 200, headers: { location: `https://shop.test/?k=${secret}`, 'set-cookie': secret }, body: '' }
  },
  'a JSON body': answer(`{"deep":[{"note":"the key is ${secret}."}]}`),
  'the name of a member': answer(`{"${secret}":1}`),
  'a text': answer(`<note>${secret}</note>`, 'text/xml'),
  'base64': answer(JSON.stringify({ note: Buffer.from(secret).toString('base64') })),
  'base64 with other bytes': answer(JSON.stringify({ basic: Buffer.from(`user:${secret}:more`).toString('base64') })),
  'base64url in a text': answer(`jwt.${Buffer.from(`{"k":"${secret}"}`).toString('base64url')}.x`, 'text/plain'),
  'the body of the request': { method: 'POST', body: `key=${secret}` }
}
for (const [place, change] of Object.entries(places)) {
  t.test(`a secret in ${place} is not recorded`, async t => {
    const recorded = JSON.stringify(recordExchange(exchange(change), redactSecret))

    t.notMatch(recorded, secret)
    t.notMatch(recorded, Buffer.from(secret).toString('base64').slice(0, 12))
  })
}

t.test('a token that the platform hands out is not recorded, and neither is where it repeats it', async t => {
  const body = '{"access_token":"made-by-the-platform","expires_in":60,"link":"/x?t=made-by-the-platform"}'
  const recorded = recordExchange(exchange(answer(body)), redactSecret)

  t.strictSame(recorded.answer?.body, { access_token: '[redacted]', expires_in: 60, link: '/x?t=[redacted]' })
})

t.test('the secrets of the request are known without those of the connection', async t => {
  const recorded = recordExchange(exchange({ ...answer('{"echo":"abcdef"}'), secrets: ['abcdef'] }), text => text)

  t.strictSame(recorded.answer?.body, { echo: '[redacted]' })
})

t.test('the position in a list is not taken for a secret', async t => {
  const recorded = recordExchange(
    exchange({ url: 'https://shop.test/a?pageToken=5', ...answer('{"nextPageToken":"6"}') }),
    redactSecret
  )

  t.strictSame(recorded.request.query, { pageToken: '5' })
  t.strictSame(recorded.answer?.body, { nextPageToken: '6' })
})

const named: Record<string, Partial<HttpExchange>> = {
  'a form': answer('oauth_token=made-by-them&oauth_token_secret=made%2Dby-them&x=1', 'text/plain'),
  'a location': {
    answer: { status: 302, headers: { location: 'https://shop.test/a?x=1&access_token=made-by-them' }, body: '' }
  },
  'a link': {
    answer: { status: 200, headers: { link: '<https://shop.test/a?api_key=made-by-them>; rel="next"' }, body: '' }
  },
  'a URL inside JSON': answer('{"next":"https://other.test/a?api_key=made-by-them&page=2"}'),
  'a URL in the query of a URL': answer('{"next":"/a?to=%2Fb%3Fapi_key%3Dmade-by-them"}'),
  'JSON in a text of JSON': answer(JSON.stringify({ payload: JSON.stringify({ api_key: 'made-by-them' }) })),
  'JSON with long numbers': answer('{"id":12345678901234567890,"api_key":"made-by-them"}'),
  'an attribute': answer('<a password="made-by-them" x=\'1\'/>', 'text/xml'),
  'a part of multipart': answer(
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nmade-by-them\r\n--b--',
    'a/b'
  )
}
for (const [place, change] of Object.entries(named)) {
  t.test(`a value with the name of a secret in ${place} is not recorded`, async t => {
    const recorded = JSON.stringify(recordExchange(exchange(change), text => text))

    t.match(recorded, '[redacted]')
    t.notMatch(recorded, /made-by-them|made%2Dby/)
  })
}

t.test('a text without a secret stays as it is', async t => {
  const texts = ['{ "a": "{ \\"b\\": 1 }" }', 'x=a+b%20c&y==', "<a b='1'>x &amp; y</a>", 'a ? b : c; d=1', 'aGk=']
  for (const text of texts) {
    t.equal(recordExchange(exchange(answer(text, 'text/plain')), plain => plain).answer?.text ?? text, text)
  }
})

t.test('a value that one exchange knows as a secret is one in all exchanges of the recording', async t => {
  const session = 'b7c1-4410-session'
  const given = [
    exchange(answer(`{"note":"opened ${session}"}`)),
    exchange(answer(`{"accessToken":"${session}"}`)),
    exchange({ ...answer(`{"seen":"${session} of sent-key-0815"}`), secrets: ['sent-key-0815'] }),
    exchange(answer('{"last":"sent-key-0815"}'))
  ]
  const shown = (recorded: readonly RecordedExchange[]) => recorded.map(one => one.answer?.body)
  const expected = [
    { note: 'opened [redacted]' },
    { accessToken: '[redacted]' },
    { seen: '[redacted] of [redacted]' },
    { last: '[redacted]' }
  ]

  t.strictSame(shown(recordExchanges(given, text => text).exchanges), expected)
  const calls = given.map(one => recordExchanges([one], text => text))
  t.strictSame(shown(joinTraffic(calls)), expected, 'also when each is of a call of its own')
})
