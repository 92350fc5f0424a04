import t from 'tap'
import { collectSecrets, createValueRedactor } from '../../src/host/redact.ts'

const secret = 'canary-7f3a9c'

t.test('a secret is replaced wherever it stands', async t => {
  const redact = createValueRedactor([secret])
  const error = new Error(`refused key ${secret}`)

  const seen = JSON.stringify(redact({ text: `key=${secret}`, list: [secret], nested: { deep: { value: secret } } }))
  const redacted = redact(error) as Error

  t.notMatch(seen, secret)
  t.notMatch(redacted.message + redacted.stack, secret)
})

t.test('the forms in which a secret travels are replaced too', async t => {
  const redact = createValueRedactor([secret])

  t.notMatch(String(redact(`Basic ${Buffer.from(`${secret}:`).toString('base64')}`)), Buffer.from(`${secret}:`).toString('base64'))
  t.notMatch(String(createValueRedactor(['a/b+c d'])(encodeURIComponent('a/b+c d'))), encodeURIComponent('a/b+c d'))
})

t.test('short values are no secrets: they would blacken ordinary text', async t => {
  t.equal(createValueRedactor(['1', 'ab'])('page 1 of ab'), 'page 1 of ab')
})

t.test('the members that the schema marks are secrets, every string when it marks none', async t => {
  const credentials = { url: 'https://shop.test', apiKey: 'a', nested: { token: 'b' }, list: ['c', 4, null] }

  t.strictSame(collectSecrets({ properties: { url: {}, apiKey: { secret: true }, nested: { secret: true } } }, credentials), ['a', 'b'])
  t.strictSame(collectSecrets({ properties: { url: {} } }, credentials), ['https://shop.test', 'a', 'b', 'c'])
})
