import t from 'tap'
import { recordXml } from '../../src/webservice/record-xml.ts'

t.test('a record is written under its singular, each value in a section of its own without blanks', async t => {
  t.equal(
    recordXml('stock_available', { id: '67', quantity: '10' }),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<shopa><stock_available><id><![CDATA[67]]></id><quantity><![CDATA[10]]></quantity></stock_available></shopa>'
  )
})

t.test('characters that XML 1.0 forbids are left out, and all others stay', async t => {
  const value = 'A\u0000\u0008\u000b\u001f\ufffe\uffff\ud800B\udfffC'
  t.match(recordXml('message', { message: value }), '<message><![CDATA[ABC]]></message>')
  const kept = '\t\n\r \u007f\ud7ff\ue000\ufffd😀'
  t.match(recordXml('message', { message: kept }), `<message><![CDATA[${kept}]]></message>`)
})

t.test('a value with the end of a section stays a value', async t => {
  t.match(
    recordXml('stock_available', { location: 'A]]></location><quantity>9</quantity>' }),
    '<location><![CDATA[A]]]]><![CDATA[></location><quantity>9</quantity>]]></location>'
  )
})
