import fc from 'fast-check'
import { posix } from 'node:path'
import t from 'tap'
import { joinUrl, parseBaseUrl } from '../../src/http/join-url.ts'

const configuration = { code: 'LNK_ADAPTER_CONFIGURATION' }

t.test('a path is joined below the base path, with or without slashes between them', async t => {
  for (const base of ['https://shop.test/api', 'https://shop.test/api/']) {
    for (const path of ['products/5', '/products/5', '///products/5']) {
      t.equal(joinUrl(parseBaseUrl(base), path).href, 'https://shop.test/api/products/5')
    }
  }
  t.equal(joinUrl(parseBaseUrl('https://shop.test'), 'me').href, 'https://shop.test/me')
  t.equal(joinUrl(parseBaseUrl('https://shop.test/graphql'), '').href, 'https://shop.test/graphql')
})

t.test('a host after two slashes is a segment below the base, not a host', async t => {
  t.equal(joinUrl(parseBaseUrl('https://shop.test/api/'), '//evil.test/x').href, 'https://shop.test/api/evil.test/x')
})

t.test('ids encoded with encodeURIComponent survive', async t => {
  const id = 'SKU 1/ä?#%'
  const { href } = joinUrl(parseBaseUrl('https://shop.test/api'), `products/${encodeURIComponent(id)}`)

  t.equal(href, 'https://shop.test/api/products/SKU%201%2F%C3%A4%3F%23%25')
})

t.test('a query repeats the names of arrays and leaves undefined out', async t => {
  const { search } = joinUrl(parseBaseUrl('https://shop.test'), 'p', { a: 1, b: undefined, c: ['x', 'y&z'], d: false })

  t.equal(search, '?a=1&c=x&c=y%26z&d=false')
})

for (
  const path of [
    '..',
    '../admin',
    'products/../../admin',
    'products/.',
    '%2e%2e/admin',
    '.%2E/admin',
    'products/..%2f..%2fadmin',
    '..%5Cadmin',
    '..;/admin',
    '\\\\evil.test',
    'products\\..\\admin',
    'https://evil.test/',
    'HTTPS:/evil.test',
    'a?b=c',
    'a#b',
    'a b',
    '.\t./admin',
    '.\n.',
    'a\u0000b'
  ]
) {
  t.test(`the path ${JSON.stringify(path)} is refused`, async t => {
    t.throws(() => joinUrl(parseBaseUrl('https://shop.test/api/v1'), path), configuration)
  })
}

for (
  const base of [
    'shop.test/api',
    'ftp://shop.test',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:pw@shop.test',
    'https://user@shop.test',
    'https://shop.test/?key=1',
    'https://shop.test/#a',
    'https://shop.test/?',
    ''
  ]
) {
  t.test(`the base URL ${JSON.stringify(base)} is refused without being quoted`, async t => {
    t.throws(() => parseBaseUrl(base), { ...configuration, message: /^(?!.*pw)/ })
  })
}

const nastyPieces = fc.constantFrom(
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2E',
  '%2f',
  '%5c',
  '%252e',
  ';',
  '?',
  '#',
  '@',
  ':',
  'http:',
  'https://',
  'evil.test',
  '\t',
  '\n',
  ' ',
  '%',
  '%00',
  'a',
  'ä',
  '．',
  '\ud800'
)
const nastyPath = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(nastyPieces, { maxLength: 12 }).map(pieces => pieces.join(''))
)

t.test('no path leaves origin and prefix, read by the URL parser or by a server that decodes first', async t => {
  const base = parseBaseUrl('https://shop.test:8443/api/v1')
  let joined = 0

  fc.assert(
    fc.property(nastyPath, path => {
      const url = attempt(() => joinUrl(base, path))
      if (url === undefined) return
      joined += 1
      const reread = new URL(url.href)
      const decoded = posix.normalize(reread.pathname.replace(/%2e|%2f|%5c/gi, code =>
        decodeURIComponent(code)).replaceAll('\\', '/'))
      for (const pathname of [reread.pathname, decoded]) {
        if (pathname !== '/api/v1' && !pathname.startsWith('/api/v1/')) {
          throw new Error(`${JSON.stringify(path)} became ${pathname}`)
        }
      }
      if (
        reread.origin !== base.origin || reread.username !== '' || reread.search !== '' || reread.hash !== ''
      ) throw new Error(`${JSON.stringify(path)} became ${reread.href}`)
    }),
    { numRuns: 5000 }
  )

  t.ok(joined > 500, `${joined} paths were joined`)
})

function attempt (join: () => URL): URL | undefined {
  try {
    return join()
  } catch (error) {
    if ((error as { code?: string }).code === configuration.code) return undefined
    throw error
  }
}
