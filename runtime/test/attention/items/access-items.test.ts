import t from 'tap'
import {
  endingCredentialsItems,
  endingTokenItems,
  endOfCredentials
} from '../../../src/attention/items/access-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
const connection = { id: 'c1', name: 'My market' }

t.test('a token is shown before and after its end', async t => {
  const token = { id: 't1', name: 'ci', soonFrom: '2026-11-21T12:00:00.000Z' }
  const [soon] = endingTokenItems([{ ...token, expiresAt: '2026-11-28T12:00:00.000Z' }], nowMs)
  const [over] = endingTokenItems([{ ...token, expiresAt: '2026-11-25T12:00:00.000Z' }], nowMs)

  t.match(soon, { key: 'ending-token:t1', severity: 'warning', title: "The token 'ci' ends in 2 days" })
  t.equal(soon?.since, token.soonFrom)
  t.match(over, { key: 'ending-token:t1', title: "The token 'ci' ended 1 day ago" })
})

t.test('credentials that end within a day are an error', async t => {
  const items = endingCredentialsItems([
    { connection, expiresAt: '2026-11-30T12:00:00.000Z' },
    { connection, expiresAt: '2026-11-27T11:00:00.000Z' },
    { connection, expiresAt: '2026-12-30T12:00:00.000Z' }
  ], nowMs)

  t.strictSame(items.map(({ severity }) => severity), ['warning', 'error'])
})

t.test('credentials end when nothing renews them', async t => {
  const expiresAt = '2026-11-28T13:00:00+01:00'

  t.equal(endOfCredentials({ expiresAt }), '2026-11-28T12:00:00.000Z')
  t.equal(endOfCredentials({ expiresAt, refreshToken: '' }), '2026-11-28T12:00:00.000Z')
  for (const plain of [{ expiresAt, refreshToken: 'r' }, {}, { expiresAt: 'soon' }, { expiresAt: 17 }]) {
    t.equal(endOfCredentials(plain), undefined)
  }
})
