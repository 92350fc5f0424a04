import { isStorableText } from '@linker/sdk/host/text'
import t from 'tap'
import { toStorable, toStorableJson } from '../../src/database/storable-json.ts'

t.test('what PostgreSQL refuses in texts and names is replaced, and nothing else', async t => {
  t.strictSame(toStorable({ 'a\0b': ['x\ud800y', '\udfff'] }), { 'a\ufffdb': ['x\ufffdy', '\ufffd'] })
  t.equal(toStorable('😀 \u0001 \ue000 é'), '😀 \u0001 \ue000 é')
})

t.test('a text that only looks like an escape stays as it is', async t => {
  for (const text of ['\\u0000', '\\\\u0000', '\\ud800', 'C:\\users\\u0000']) t.equal(toStorable(text), text)
  t.equal(toStorable('\\\0'), '\\\ufffd')
})

t.test('values that JSON does not have become ones that it has', async t => {
  t.equal(toStorableJson(undefined), 'null')
  t.equal(toStorableJson({ count: 12345678901234567890n, left: undefined }), '{"count":"12345678901234567890"}')
})

t.test('each character is kept if PostgreSQL stores it, and replaced if not', async t => {
  const texts = Array.from({ length: 0x1_0000 }, (_, unit) => `a${String.fromCharCode(unit)}b`)
  const stored = toStorable(texts)

  t.strictSame(texts.filter((text, unit) => stored[unit] !== (isStorableText(text) ? text : 'a\ufffdb')), [])
})
