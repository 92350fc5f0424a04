import t from 'tap'
import { createSealing } from '../../src/credentials/sealing.ts'

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const secret = { token: 'canary-1' }

t.test('with a key secrets are encrypted, each for its context', async t => {
  const sealing = createSealing({ credentialsKey: keyOf('k1', 1) })
  const sealed = sealing.seal(secret, 'table/row')

  t.equal(sealed.encrypted, true)
  t.notMatch(JSON.stringify(sealed), 'canary-1')
  t.strictSame(sealing.open(sealed, 'table/row'), secret)
  t.throws(() => sealing.open(sealed, 'table/other'))
})

t.test('without a key secrets are stored as they are, and a hub with a key reads them', async t => {
  const sealed = createSealing({}).seal(secret, 'table/row')

  t.strictSame(sealed, { json: secret, encrypted: false })
  t.strictSame(createSealing({ credentialsKey: keyOf('k1', 1) }).open(sealed, 'table/row'), secret)
})

t.test('encrypted secrets need their key: an older one serves, a missing one is a wrong configuration', async t => {
  const sealed = createSealing({ credentialsKey: keyOf('k1', 1) }).seal(secret, 'table/row')
  const rotated = createSealing({ credentialsKey: `${keyOf('k2', 2)},${keyOf('k1', 1)}` })

  t.strictSame(rotated.open(sealed, 'table/row'), secret)
  t.throws(() => createSealing({}).open(sealed, 'table/row'), { code: 'LNK_CONFIG_INVALID' })
  t.throws(() => createSealing({ credentialsKey: keyOf('k2', 2) }).open(sealed, 'table/row'))
})
