import t from 'tap'
import { callbackPathOf, callbackUrlOf } from '../../src/webhooks/callback-url.ts'

const connection = { id: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10', platformType: 'feed' }
const path = `/webhooks/feed/${connection.id}`

const urlOf = (callbackBaseUrl?: unknown): string => callbackUrlOf({ ...connection, config: { callbackBaseUrl } })

t.test('the address is the public one of the hub with the path of the connection', async t => {
  t.equal(callbackPathOf(connection), path)
  t.equal(urlOf('https://hub.example'), `https://hub.example${path}`)
  t.equal(urlOf('https://hub.example/'), `https://hub.example${path}`)
  t.equal(urlOf('http://127.0.0.1:3000/linker//'), `http://127.0.0.1:3000/linker${path}`)
  t.equal(urlOf('HTTPS://Hub.Example:443/A'), `https://hub.example/A${path}`)
})

for (
  const [what, value, code] of [
    ['an absent address', undefined, 'required'],
    ['an empty address', '', 'required'],
    ['a value that is no text', 3000, 'format'],
    ['a text that is no address', 'hub.example', 'format'],
    ['an address of another scheme', 'ftp://hub.example', 'format'],
    ['a user name', 'https://user@hub.example', 'format'],
    ['a password', 'https://:password@hub.example', 'format'],
    ['a query', 'https://hub.example?a=1', 'format'],
    ['a fragment', 'https://hub.example#a', 'format']
  ] as const
) {
  t.test(`${what} is refused with a pointer to the config`, async t => {
    t.throws(() => urlOf(value), {
      code: 'LNK_CONNECTION_INVALID',
      statusCode: 400,
      errors: [{ pointer: '/config/callbackBaseUrl', code }]
    })
  })
}
