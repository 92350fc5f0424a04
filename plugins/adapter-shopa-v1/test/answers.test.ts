import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { readErrors, readRows } from '../src/answers.ts'

const xml = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<shopa xmlns:xlink="http://www.w3.org/1999/xlink">${content}</shopa>`

t.test('a list in JSON is its records', async t => {
  t.same(readRows('{"products":[{"id":1},{"id":2}]}'), [{ id: 1 }, { id: 2 }])
})

t.test('an empty list has no records, in each form that the shop writes it', async t => {
  for (
    const body of ['[]', ' [ ]\n', '{"products":[]}', '{}', xml('<products></products>'), xml('<products/>'), xml('')]
  ) t.same(readRows(body), [])
})

t.test('a single record is the only top level member, whatever its singular is', async t => {
  t.same(readRows('{"address":{"id":5,"city":"Lodz"}}'), [{ id: 5, city: 'Lodz' }])
  t.same(readRows('{"order_history":{"id":7}}'), [{ id: 7 }])
})

t.test('one object where a list was expected is a list of one', async t => {
  t.same(readRows('{"products":{"id":27}}'), [{ id: 27 }])
  t.same(readRows('{"products":{"product":{"id":"27"}}}'), [{ id: '27' }])
})

t.test('XML is read although JSON was asked for', async t => {
  const list =
    xml('<products><product><id><![CDATA[1]]></id></product><product><id><![CDATA[2]]></id></product></products>')
  const single =
    xml('<country><id><![CDATA[14]]></id><id_zone xlink:href="https://shop.test/api/zones/1"><![CDATA[1]]></id_zone></country>')

  t.same(readRows(list), [{ id: '1' }, { id: '2' }])
  t.same(readRows(single), [{ id: '14', id_zone: '1' }])
})

t.test('text in XML keeps the markup of its CDATA section', async t => {
  const rows =
    readRows(xml('<products><product><id>1</id><description><language id="2"><![CDATA[<p>a &amp; b</p>]]></language></description></product></products>'))

  t.same(rows, [{ id: '1', description: { language: { id: '2', value: '<p>a &amp; b</p>' } } }])
})

t.test('notices of PHP in front of an answer are passed over', async t => {
  const html =
    '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/var/www/classes/Product.php</b> on line <b>127</b><br />\n'
  const text = '\nDeprecated: Function strftime() is deprecated in /var/www/config.php on line 9\n'

  for (const before of [html, html + html, text, text + text, `\uFEFF${text}`]) {
    t.same(readRows(`${before}{"products":[{"id":27}]}`), [{ id: 27 }])
    t.same(readRows(`${before}${xml('<products><product><id>27</id></product></products>')}`), [{ id: '27' }])
    t.same(readErrors(`${before}{"errors":[{"code":22,"message":"off"}]}`), [{ code: 22, message: 'off' }])
    t.throws(() => readRows(before), { code: AdapterErrorCode.transient })
  }
})

t.test('an answer that is none of the webservice is a passing fault, never an empty list', async t => {
  const strange = [
    '',
    '  ',
    '<html><body/></html>',
    '<!DOCTYPE html><html><body>Maintenance<br></body></html>',
    'Service Unavailable',
    '"text"',
    '5',
    'null',
    '<br /><b>Notice</b>: undefined index {"products":[]}',
    '{"products":[{"id":1}',
    '[{"id":1}]',
    '{"products":[1,2]}',
    '{"a":[],"b":[]}',
    '{"errors":[{"code":1,"message":"x"}]}',
    xml('<products><product>')
  ]

  for (const body of strange) t.throws(() => readRows(body), { code: AdapterErrorCode.transient }, JSON.stringify(body))
})

t.test('an error about an answer does not quote it', async t => {
  const error = t.throws(() => readRows('private-text')) as Error

  t.notMatch(error.message, /private-text/)
  t.equal(error.cause, undefined)
})

t.test('errors are read from JSON and XML, one or several', async t => {
  t.same(readErrors('{"errors":[{"code":87,"message":"gone"},{"code":2,"message":"notice"}]}'), [{
    code: 87,
    message: 'gone'
  }, { code: 2, message: 'notice' }])
  t.same(
    readErrors(xml('<errors><error><code><![CDATA[21]]></code><message><![CDATA[no]]></message></error></errors>')),
    [{ code: 21, message: 'no' }]
  )
  t.same(
    readErrors(xml('<errors><error><code>1</code><message>a</message></error><error><code>2</code><message>b</message></error></errors>')),
    [{ code: 1, message: 'a' }, { code: 2, message: 'b' }]
  )
  for (const body of ['', '<html></html>', '[]', '{"products":[]}', 'null']) t.same(readErrors(body), [])
})
