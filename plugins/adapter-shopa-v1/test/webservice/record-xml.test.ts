import t from 'tap'
import { recordXml } from '../../src/webservice/record-xml.ts'

t.test('a record is written under its singular, each value in a section of its own without blanks', async t => {
  t.equal(
    recordXml('stock_available', { id: '67', quantity: '10' }),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<shopa><stock_available><id><![CDATA[67]]></id><quantity><![CDATA[10]]></quantity></stock_available></shopa>'
  )
})

t.test('a value with the end of a section stays a value', async t => {
  t.match(
    recordXml('stock_available', { location: 'A]]></location><quantity>9</quantity>' }),
    '<location><![CDATA[A]]]]><![CDATA[></location><quantity>9</quantity>]]></location>'
  )
})
