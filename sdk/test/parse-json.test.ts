import { parseJson } from '@linker/sdk'
import t from 'tap'

t.test('a whole number that JavaScript would round keeps its digits as a text', async t => {
  t.strictSame(
    parseJson('{"id":9007199254740993,"ids":[-9007199254740993, 12345678901234567890],"n":9007199254740992}'),
    {
      id: '9007199254740993',
      ids: ['-9007199254740993', '12345678901234567890'],
      n: '9007199254740992'
    }
  )
  t.equal(parseJson('9007199254740993'), '9007199254740993')
})

t.test('every other value is that of JSON.parse', async t => {
  for (
    const text of [
      '{"id":9007199254740991,"least":-9007199254740991,"price":12.30,"long":0.12345678901234567}',
      '[1e30,1.5e-7,-0,true,null,"9007199254740993","a, 9007199254740993"]',
      '{"a":[9007199254740991, 1e30, 0.12345678901234567], "text": ": 9007199254740993"}'
    ]
  ) t.strictSame(parseJson(text), JSON.parse(text), text)
  t.throws(() => parseJson('{"id":'), SyntaxError)
})
