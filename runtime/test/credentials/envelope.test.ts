import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createKeyring } from '../../src/credentials/envelope.ts'

const keyText = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

t.test('a sealed value opens for its own context only', async t => {
  const keyring = createKeyring(keyText('k1'))
  const envelope = keyring.seal({ apiKey: 'secret-value' }, 'table/row-1/feedshop')

  t.strictSame(keyring.open(envelope, 'table/row-1/feedshop'), { apiKey: 'secret-value' })
  t.notMatch(JSON.stringify(envelope), 'secret-value')
  t.throws(() => keyring.open(envelope, 'table/row-2/feedshop'), {
    code: 'LNK_CONFIG_INVALID',
    message: /'table\/row-2\/feedshop' with key 'k1'/
  })
})

t.test('a changed byte of any part is noticed', async t => {
  const keyring = createKeyring(keyText('k1'))
  const envelope = keyring.seal({ apiKey: 'secret-value' }, 'context')

  for (const part of ['nonce', 'ciphertext', 'tag'] as const) {
    const bytes = Buffer.from(envelope[part], 'base64')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    t.throws(() => keyring.open({ ...envelope, [part]: bytes.toString('base64') }, 'context'), {
      code: 'LNK_CONFIG_INVALID'
    }, part)
  }
})

t.test('the newest key seals, every key opens, an unknown one is named', async t => {
  const [first, second] = [keyText('k1'), keyText('k2')]
  const old = createKeyring(first).seal({ a: 1 }, 'context')
  const both = createKeyring(`${second},${first}`)

  t.equal(both.seal({ a: 1 }, 'context').kid, 'k2')
  t.strictSame(both.open(old, 'context'), { a: 1 })
  t.throws(() => createKeyring(second).open(old, 'context'), { code: 'LNK_CONFIG_INVALID', message: /'k1'/ })
})

t.test('another key under the same id is named', async t => {
  const envelope = createKeyring(keyText('k1')).seal({ a: 1 }, 'context')

  t.throws(() => createKeyring(keyText('k1')).open(envelope, 'context'), {
    code: 'LNK_CONFIG_INVALID',
    message: /'context' with key 'k1' of LINKER_CREDENTIALS_KEY/
  })
})

t.test('a key of the wrong form is refused', async t => {
  for (const text of ['', 'k1', 'k1:short', `:${randomBytes(32).toString('base64')}`]) {
    t.throws(() => createKeyring(text), { code: 'LNK_CONFIG_INVALID' }, text)
  }
})
