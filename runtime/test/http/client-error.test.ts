import { Duplex } from 'node:stream'
import t from 'tap'
import { answerClientError } from '../../src/http/client-error.ts'
import { responseHeaders } from '../../src/http/response-headers.ts'
import { parseRaw } from './support.ts'

/** The connection of a client, and what the hub wrote to it. */
function openSocket (): { socket: Duplex, sent: string[] } {
  const sent: string[] = []
  const socket = new Duplex({
    read: () => undefined,
    write (chunk: Buffer, _encoding, done) {
      sent.push(chunk.toString())
      done()
    }
  })
  socket.on('error', () => undefined)
  return { socket, sent }
}

const failure = (code?: string): Error & { code?: string } => Object.assign(new Error('bad'), { code })

for (
  const [code, status, expected] of [
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'LNK_REQUEST_TIMEOUT'],
    ['HPE_HEADER_OVERFLOW', 431, 'LNK_HEADERS_TOO_LARGE'],
    ['HPE_INVALID_METHOD', 400, 'LNK_REQUEST_INVALID'],
    [undefined, 400, 'LNK_REQUEST_INVALID']
  ] as const
) {
  t.test(`${code ?? 'an error without a code'} is answered ${status}, and the connection ends`, async t => {
    const { socket, sent } = openSocket()
    answerClientError(failure(code), socket)

    const { status: answered, headers, body } = parseRaw(sent.join(''))
    t.equal(answered, status)
    t.match(JSON.parse(body), { code: expected, status, instance: /^urn:linker:request:[0-9a-f-]{36}$/ })
    t.match(headers.toLowerCase(), `content-length: ${Buffer.byteLength(body)}`)
    for (const [name, value] of Object.entries(responseHeaders)) t.match(headers, `${name}: ${value}`)
    t.equal(socket.destroyed, true)
  })
}

t.test('a client that went away, or half-closed its connection, gets no answer', async t => {
  const [gone, destroyed, closed] = [openSocket(), openSocket(), openSocket()]
  destroyed.socket.destroy()
  closed.socket.end()
  answerClientError(failure('ECONNRESET'), gone.socket)
  answerClientError(failure(), destroyed.socket)
  answerClientError(failure(), closed.socket)

  t.strictSame([gone.sent, destroyed.sent, closed.sent], [[], [], []])
  t.equal(closed.socket.destroyed, true)
})
