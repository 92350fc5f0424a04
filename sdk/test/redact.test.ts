import { createRedactor } from '@linker/sdk'
import t from 'tap'

t.test('every occurrence of a secret is replaced, as it is and URL-encoded', async t => {
  const redact = createRedactor(['p/w d+', 'token'])

  t.equal(
    redact('token=token&password=p%2Fw%20d%2B (p/w d+)'),
    '[redacted]=[redacted]&password=[redacted] ([redacted])'
  )
})

t.test('a secret that contains another is replaced whole', async t => {
  t.equal(createRedactor(['abcd', 'abcd-efgh'])('abcd-efgh abcd'), '[redacted] [redacted]')
})

t.test('a secret is plain text, not a pattern', async t => {
  t.equal(createRedactor(['a.*z', '$&$1'])('abcz a.*z $&$1'), 'abcz [redacted] [redacted]')
})

t.test('a value too short for a secret leaves the text readable', async t => {
  t.equal(createRedactor(['', 'a', 'abc'])('an abc'), 'an abc')
})

t.test('a lone surrogate in a secret does not break the message', async t => {
  t.equal(createRedactor(['\ud800abc'])('x \ud800abc'), 'x [redacted]')
})

t.test('a secret in a form is replaced', async t => {
  for (const secret of ["it's a pass!", 'pass word!(1)', 'ä b~c']) {
    const form = new URLSearchParams({ user: 'ada', password: secret }).toString()

    t.equal(createRedactor([secret])(form), 'user=ada&password=[redacted]')
  }
})
