import t from 'tap'
import { readReturnPage, withResult } from '../../src/adapter-routes/return-page.ts'

const refusalOf = (given: unknown): unknown => {
  try {
    readReturnPage(given)
    return undefined
  } catch (error) {
    const { code, errors } = error as { code: string, errors: { pointer: string, code: string }[] }
    return [code, errors[0]?.pointer, errors[0]?.code]
  }
}

t.test('a page of the console is taken as it is', async t => {
  for (
    const page of [
      '/console/',
      '/console/connections/new/mkta',
      '/console/connections?status=error#row-2',
      '/console/offers?q=a%2Fb%5Cc',
      `/console/${'a'.repeat(491)}`
    ]
  ) t.equal(readReturnPage(page), page)
})

t.test('a browser is sent to no page but those of the console', async t => {
  const refused = [
    '',
    '/console',
    '/consoles/',
    'console/',
    ' /console/',
    '/CONSOLE/',
    'https://attacker.example/console/',
    '//attacker.example/console/',
    '/\\attacker.example/console/',
    '/console/\\attacker.example',
    '/console//attacker.example',
    '/console/?next=//attacker.example',
    '/console/../connections',
    '/console/%2e%2e/connections',
    '/console/.%2E/connections',
    '/console/./../connections',
    '/console/..%2fconnections',
    '/console/..%5cconnections',
    '/console/a\tb',
    '/console/a\nb',
    '/console/\u0000',
    '/console/\u007f',
    'javascript:/console/'
  ]
  for (const page of refused) {
    t.strictSame(refusalOf(page), ['LNK_REQUEST_INVALID', '/returnTo', 'path'], JSON.stringify(page))
  }
  t.strictSame(refusalOf(`/console/${'a'.repeat(492)}`), ['LNK_REQUEST_INVALID', '/returnTo', 'maxLength'])
  for (const value of [undefined, null, 1, ['/console/'], {}]) {
    t.strictSame(refusalOf(value), ['LNK_REQUEST_INVALID', '/returnTo', 'type'])
  }
})

t.test('the result of an authorisation is in the query, before the fragment', async t => {
  t.equal(withResult('/console/', { connectionId: '7' }), '/console/?connectionId=7')
  t.equal(withResult('/console/a?b=c&error=old#d', { connectionId: '7' }), '/console/a?b=c&connectionId=7#d')
  t.equal(withResult('/console/?detail=old', { connectionId: undefined }), '/console/')
  t.equal(
    withResult('/console/?connectionId=1', { error: 'LNK_ADAPTER_REJECTED', detail: 'no & <b>\r\nset-cookie: a' }),
    '/console/?error=LNK_ADAPTER_REJECTED&detail=no+%26+%3Cb%3E%0D%0Aset-cookie%3A+a'
  )
  t.equal(
    withResult('/console/', { error: 'E', detail: 'a'.repeat(2_000) }).length,
    '/console/?error=E&detail='.length + 1_000
  )
})
