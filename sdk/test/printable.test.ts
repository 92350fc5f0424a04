import { escapeUnprintable } from '@linker/sdk/host'
import t from 'tap'

t.test('characters that a terminal would obey become JSON escapes', async t => {
  t.equal(escapeUnprintable('\u001b[2Ja\u009b31m\u007f\u0007'), '\\u001b[2Ja\\u009b31m\\u007f\\u0007')
  t.equal(escapeUnprintable('one\ntwo\r\tthree\u2028'), 'one\\ntwo\\r\\tthree\\u2028', 'a line stays one line')
  t.equal(
    escapeUnprintable('abc\u202edaer\u2066\ufeff'),
    'abc\\u202edaer\\u2066\\ufeff',
    'text is read in the direction in which it is written'
  )
})

t.test('text of any language stays as it is', async t => {
  const text = 'Zażółć gęślą jaźń — 日本語 שלום 🙂 "quoted" \\n'

  t.equal(escapeUnprintable(text), text)
})

t.test('JSON stays the JSON of the same value', async t => {
  const value = { name: 'a\u001b\u009b\u202e\n', more: ['\u007f'] }

  t.strictSame(JSON.parse(escapeUnprintable(JSON.stringify(value))), value)
})
