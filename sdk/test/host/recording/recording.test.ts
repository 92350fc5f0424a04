import { formatRecording, parseRecording, type Recording } from '@linker/sdk/host'
import t from 'tap'

const recording: Recording = {
  recordedAt: '2025-01-01T00:00:00.000Z',
  exchanges: [{ request: { method: 'GET', path: '/a' }, answer: { status: 200, body: null } }]
}

t.test('a recording is read as it was written', async t => {
  t.strictSame(parseRecording(formatRecording(recording), 'a.json'), recording)
})

t.test('a recording that a person broke is refused with the file and the member', async t => {
  const refusal = (text: string): string => {
    try {
      parseRecording(text, 'a.json')
      return ''
    } catch (error) {
      return String(error)
    }
  }

  t.match(refusal('{'), /a\.json is not JSON/)
  t.match(refusal('{}'), /a\.json is no recording: \/exchanges is required/)
  t.match(
    refusal('{"exchanges":[{"request":{"method":"GET","path":"a"},"failure":"X"}]}'),
    /\/exchanges\/0\/request\/path/
  )
  t.match(
    refusal('{"exchanges":[{"request":{"method":"GET","path":"/a"}}]}'),
    /\/exchanges\/0 has either an answer or a/
  )
  t.match(
    refusal('{"exchanges":[{"request":{"method":"GET","path":"/a","bdy":1},"failure":"X"}]}'),
    /\/exchanges\/0\/request\/bdy/
  )
})
