import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { readErrors, readRows } from '../../src/webservice/read-rows.ts'

const xml = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<shopa xmlns:xlink="http://www.w3.org/1999/xlink">${content}</shopa>`

t.test('a list in JSON is read as its records', async t => {
  t.same(readRows('{"products":[{"id":1},{"id":2}]}'), [{ id: 1 }, { id: 2 }])
})

t.test('an empty list has no records, in each form that the shop writes it', async t => {
  const json = ['[]', ' [ ]\n', '{"products":[]}', '{}']
  const empty = [...json, xml('<products></products>'), xml('<products/>'), xml('')]
  for (const body of empty) t.same(readRows(body), [])
})

t.test('a single record is the only top level member, whatever its name is', async t => {
  t.same(readRows('{"address":{"id":5,"city":"Lodz"}}'), [{ id: 5, city: 'Lodz' }])
  t.same(readRows('{"order_history":{"id":7}}'), [{ id: 7 }])
})

t.test('one object instead of a list is read as a list of one', async t => {
  t.same(readRows('{"products":{"id":27}}'), [{ id: 27 }])
  t.same(readRows('{"products":{"product":{"id":"27"}}}'), [{ id: '27' }])
})

t.test('XML is read although JSON was asked for', async t => {
  const products = ['1', '2'].map(id => `<product><id><![CDATA[${id}]]></id></product>`).join('')
  const zone = '<id_zone xlink:href="https://shop.test/api/zones/1"><![CDATA[1]]></id_zone>'

  t.same(readRows(xml(`<products>${products}</products>`)), [{ id: '1' }, { id: '2' }])
  t.same(readRows(xml(`<country><id><![CDATA[14]]></id>${zone}</country>`)), [{ id: '14', id_zone: '1' }])
})

t.test('text in XML keeps the markup of its CDATA section', async t => {
  const text = '<language id="2"><![CDATA[<p>a &amp; b</p>]]></language>'
  const product = `<product><id>1</id><description>${text}</description></product>`

  t.same(readRows(xml(`<products>${product}</products>`)), [
    { id: '1', description: { language: { id: '2', value: '<p>a &amp; b</p>' } } }
  ])
})

t.test('PHP notices before an answer are skipped', async t => {
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

t.test('an answer that is not from the webservice is a transient error, never an empty list', async t => {
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
  const gone = { code: 87, message: 'gone' }
  const notice = { code: 2, message: 'notice' }
  const error = (code: string, message: string) => `<error><code>${code}</code><message>${message}</message></error>`
  const one = xml(`<errors>${error('<![CDATA[21]]>', '<![CDATA[no]]>')}</errors>`)
  const two = xml(`<errors>${error('1', 'a')}${error('2', 'b')}</errors>`)

  t.same(readErrors(JSON.stringify({ errors: [gone, notice] })), [gone, notice])
  t.same(readErrors(one), [{ code: 21, message: 'no' }])
  t.same(readErrors(two), [{ code: 1, message: 'a' }, { code: 2, message: 'b' }])
  for (const body of ['', '<html></html>', '[]', '{"products":[]}', 'null']) t.same(readErrors(body), [])
})
